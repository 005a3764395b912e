/*
 * The formats that declared arithmetic rounds to (numerics 9.2), and the error of one rounding. The bounds
 * of sums are in bounds.h.
 */
#ifndef CONFORM_ARITHMETIC_H
#define CONFORM_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/backend.h>

/* A floating-point format, as rounding to nearest needs it. */
typedef struct conform_format {
    double u;      /* unit roundoff: 2^-bits */
    double tiny;   /* half the smallest subnormal: the largest error of a rounding below `normal` */
    double normal; /* the smallest normal number */
    double overflow; /* the smallest magnitude that is rounded to infinity */
    int bits;        /* bits of the significand, the leading one included */
} conform_format;

/* The format of an IFN_ROUND_*; IFN_ROUND_NONE is f32. */
const conform_format *conform_format_of(uint32_t round);
/* "f32", "tf32", "bf16", "f16" */
const char *conform_format_name(uint32_t round);

/* x rounded to nearest in the format, ties to even; may be an infinity. */
double conform_round_to(const conform_format *f, double x);

/*
 * The bound on the error of rounding x once, which a backend may also omit: 0 if the format holds x or x is
 * not finite, INFINITY if x overflows.
 */
double conform_rounding_error(const conform_format *f, double x);

/* x with its significand truncated to `bits` bits and its exponent clamped to the normal range of the format.
 * Integers stay integers and do not grow. */
double conform_shorten(const conform_format *f, double x);

/* True if nothing is declared. */
bool conform_arithmetic_is_plain(const ifn_arithmetic *a);

/* Describes the arithmetic: "products in bf16, sums in f16 by 32, results in f16"; "" if nothing is declared. */
const char *conform_arithmetic_words(const ifn_arithmetic *a, char *room, size_t bytes);

/* The declared arithmetic of each op on each dtype of weights or cache; all zero: f32 throughout. */
typedef struct conform_arithmetics {
    ifn_arithmetic of[IFN_OP_COUNT][IFN_DTYPE_COUNT];
} conform_arithmetics;

bool conform_arithmetics_are_plain(const conform_arithmetics *a);
bool conform_arithmetics_are_equal(const conform_arithmetics *a, const conform_arithmetics *b);

#endif
