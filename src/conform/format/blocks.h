/*
 * Decodes and encodes elements of stored rows exactly, for oracles and generators. The code addresses bits by the
 * layouts in spec/dtypes and is independent of the library's decoders:
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
    int sc, m;   /* integer scale less its offset, integer minimum; 1 if there is none */
    int c;       /* code less its offset; 1 for F32, F16, BF16 */
    int offset;  /* the offset that was subtracted from the code: 8 in Q4_0 */
} conform_code;

/* Element i of a row. */
conform_code conform_code_at(ifn_dtype dtype, const void *row, int64_t i);

/* The exact value, which 53 bits hold for every dtype. NaN, inf and -0 are as the formula gives them. */
double conform_code_value(const conform_code *code);
double conform_value_at(ifn_dtype dtype, const void *row, int64_t i);

/* The first n elements of a row; the scales of a group are read once for all its elements. */
void conform_codes(ifn_dtype dtype, const void *row, int64_t n, conform_code *out);
void conform_values(ifn_dtype dtype, const void *row, int64_t n, double *out);

/*
 * 0 if no quantizer gives the block of element i: in Q8_32F a wrong sum of codes, or codes whose largest magnitude is
 * not 127 (0 if the scale is not above 0; numerics 8.3). Every pattern of the other dtypes is valid.
 */
int conform_block_is_valid(ifn_dtype dtype, const void *row, int64_t i);

/* True if a file may hold the dtype; the second, if it also has blocks, as weights of linear_q8 must. */
bool conform_is_stored(ifn_dtype dtype);
bool conform_is_stored_block(ifn_dtype dtype);

/* The ranges of the integers of a dtype. has_min: a minimum is subtracted. */
typedef struct conform_limits {
    int c_low, c_high;
    int sc_low, sc_high; /* 1, 1: no integer scales */
    int m_high;          /* 0: no integer minima */
    bool has_min;
    int group; /* elements per scale, at most 32 (numerics 8.1) */
} conform_limits;

conform_limits conform_limits_of(ifn_dtype dtype);

/* True if the sign of a zero depends on the order in which the two products are formed (numerics 8.1). */
bool conform_has_free_zeros(ifn_dtype dtype);

/* True if codes are stored with an offset, which a kernel may apply separately (numerics 7.2). */
bool conform_has_offset(ifn_dtype dtype);

/* Write into a block, for generators and expected bytes. The block must be zero before. i: element in the block. */
void conform_put_code(ifn_dtype dtype, void *block, int i, int c);
void conform_put_codes(ifn_dtype dtype, void *block, const int *codes); /* of all its elements */
void conform_put_scale(ifn_dtype dtype, void *block, int i, int sc, int m);
/* Writes the bits of the f16 fields; dmin is m of Q4_1 and Q5_1. */
void conform_put_units(ifn_dtype dtype, void *block, uint16_t d, uint16_t dmin);

#endif
