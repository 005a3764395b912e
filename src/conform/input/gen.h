/* Generates the inputs of a case: each element follows from hash(seed, tensor name, index) of stream.h. */
#ifndef CONFORM_GEN_H
#define CONFORM_GEN_H

#include "operand.h"
#include "stream.h"
#include "truth.h"

/* The random stream of an operand; in cases of the family SAME all operands share one. */
conform_stream conform_input_stream(const conform_case *c, const char *name);

/*
 * Fills rows x cols floats (row stride in elements) for the family of the case. k is the length of
 * the reduction that the operand takes part in (1: none); lattices need it.
 */
void conform_fill_f32(const conform_case *c, const char *name, conform_operand operand, int64_t k,
                      float *out, int64_t rows, int64_t cols, int64_t stride);

/*
 * Fills rows of a storage dtype with legal blocks of the family: codes over their whole range,
 * scales as numerics 4.2 and 7.3 want them (powers of two in T0, full significands in T1 and T2).
 */
void conform_fill_blocks(const conform_case *c, const char *name, conform_operand operand,
                         ifn_dtype dtype, int64_t k, void *out, int64_t rows, int64_t cols);

/*
 * The largest integers of the two operands of a T0 sum of k products: k * a * b <= 2^24, so that
 * every partial sum in every order is exact. b is stored in the dtype of the case.
 */
typedef struct conform_lattice {
    int64_t a, b;  /* largest magnitudes; b of the expanded integer, scales included */
    int64_t scale; /* largest integer scale and minimum of a block of b */
} conform_lattice;

conform_lattice conform_lattice_of(const conform_case *c, int64_t k);

/* 1 if the case swaps the roles of its operands (asymmetric, one-hot): a bit of the seed. */
int conform_is_swapped(const conform_case *c);

/* HUGE: true if only the first factor is huge, near the top of the range, and the second is small enough to make room
 * for it. Else both factors are large, with about half the exponent. */
bool conform_is_one_huge(const conform_case *c);

/* The base of the rope frequencies: 10000; in the family SCALARS another one that models have. */
double conform_rope_base(const conform_case *c);
/* Fills the row of cosines and sines for a position, computed in f64. */
void conform_fill_rope(float *row, int64_t head_dim, int64_t position, double base);

#endif
