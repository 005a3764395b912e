/*
 * The formats that declared arithmetic rounds to (numerics 9.2), and what one rounding may do. No
 * bound is made here: bounds.h has them.
 */
#ifndef CONFORM_ARITHMETIC_H
#define CONFORM_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/backend.h>

/* Rounding to nearest in a format of few bits. */
typedef struct conform_format {
    double u;        /* unit roundoff: 2^-bits */
    double tiny;     /* half the smallest subnormal: what a rounding below `normal` may be off by */
    double normal;   /* the smallest normal */
    double overflow; /* what is rounded to infinity: from here on */
    int bits;        /* of a significand, the first one counted */
} conform_format;

/* By IFN_ROUND_*; of IFN_ROUND_NONE f32. */
const conform_format *conform_format_of(uint32_t round);
/* "f32", "tf32", "bf16", "f16" */
const char *conform_format_name(uint32_t round);

/* The number next to x in the format, or an infinity; ties to even. */
double conform_round_to(const conform_format *f, double x);

/*
 * How far x may be moved by one rounding that may as well be left out: 0 for what the format holds
 * and what is not finite, INFINITY for what overflows.
 */
double conform_rounding_error(const conform_format *f, double x);

/* The multiple of a power of two next to x, towards zero, that has `bits` bits at most and lies
 * within the range of the format: integers stay integers and do not grow. */
double conform_shorten(const conform_format *f, double x);

/* Nothing is declared. */
bool conform_arithmetic_is_plain(const ifn_arithmetic *a);

/* "products in bf16, sums in f16 by 32, results in f16"; empty where nothing is declared. */
const char *conform_arithmetic_words(const ifn_arithmetic *a, char *room, size_t bytes);

/* What is declared of each op on each dtype of weights or cache; all zero: f32 throughout. */
typedef struct conform_arithmetics {
    ifn_arithmetic of[IFN_OP_COUNT][IFN_DTYPE_COUNT];
} conform_arithmetics;

bool conform_arithmetics_are_plain(const conform_arithmetics *a);
bool conform_arithmetics_are_equal(const conform_arithmetics *a, const conform_arithmetics *b);

#endif
