/*
 * Elements of stored rows as exact numbers, for oracles and generators. Written from the layouts in
 * spec/dtypes as bit addresses, unlike the decoders of the library:
 *
 *   value = d * sc * c - dmin * m                            (numerics 7.3, 8.1)
 */
#ifndef CONFORM_BLOCKS_H
#define CONFORM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/dtype.h>

#include "halves.h"

typedef struct conform_code {
    double d;    /* scale of the block; F32, F16, BF16: the value itself */
    double dmin; /* Q4_1, Q5_1: minus the stored minimum; 0 where there is none */
    int sc, m;   /* integer scale less its offset, integer minimum; 1 where there is none */
    int c;       /* code less its offset; 1 for F32, F16, BF16 */
    int offset;  /* what the code lost: 8 in Q4_0 */
} conform_code;

/* Element i of a row. */
conform_code conform_code_at(ifn_dtype dtype, const void *row, int64_t i);

/* The exact value: 53 bits hold it for every dtype. NaN and inf by the formula, as is -0. */
double conform_code_value(const conform_code *code);
double conform_value_at(ifn_dtype dtype, const void *row, int64_t i);

/* The first n elements of a row: what a group shares is read once for all of it. */
void conform_codes(ifn_dtype dtype, const void *row, int64_t n, conform_code *out);
void conform_values(ifn_dtype dtype, const void *row, int64_t n, double *out);

/*
 * What no quantizer gives: in Q8_32F a wrong sum of codes, a code -128, or a scale of a block
 * without a code of magnitude 127 (numerics 8.3). Every pattern of the other dtypes is valid.
 */
int conform_block_is_valid(ifn_dtype dtype, const void *row, int64_t i);

/* What a file may hold; and of blocks, which is what weights of linear_q8 are. */
bool conform_is_stored(ifn_dtype dtype);
bool conform_is_stored_block(ifn_dtype dtype);

/* What the integers of a dtype may be. has_min: a minimum is subtracted. */
typedef struct conform_limits {
    int c_low, c_high;
    int sc_low, sc_high; /* 1, 1: no integer scales */
    int m_high;          /* 0: no integer minima */
    bool has_min;
    int group; /* elements per scale, at most 32 (numerics 8.1) */
} conform_limits;

conform_limits conform_limits_of(ifn_dtype dtype);

/* Whether the sign of a zero says in which order the two products were formed (numerics 8.1). */
bool conform_has_free_zeros(ifn_dtype dtype);

/* Whether a code is stored with an offset, which a kernel may split off (numerics 7.2). */
bool conform_has_offset(ifn_dtype dtype);

/* Writing, for generators and expected bytes. The block must be zero before. i: element in it. */
void conform_put_code(ifn_dtype dtype, void *block, int i, int c);
void conform_put_codes(ifn_dtype dtype, void *block, const int *codes); /* of all its elements */
void conform_put_scale(ifn_dtype dtype, void *block, int i, int sc, int m);
/* Bits of the f16 fields; dmin is m of Q4_1 and Q5_1. */
void conform_put_units(ifn_dtype dtype, void *block, uint16_t d, uint16_t dmin);

#endif
