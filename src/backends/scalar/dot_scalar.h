/*
 * Inner products of one row of quantized weights with one row of Q8_32F, one file per format. The
 * sums of products of codes, group scales included, are integers below 2^24 for every format
 * (numerics 8.1), so they and their conversion are exact; each block of 32 activations then adds
 * one float. Scales are multiplied even if all codes are zero, so that a scale of NaN shows.
 */
#ifndef IFN_DOT_SCALAR_H
#define IFN_DOT_SCALAR_H

#include <stdint.h>
#include <string.h>

#include <inferno/dtype.h>

#include "bytes.h"
#include "f16.h"

/* n: activation blocks in the row. w may have any alignment. */
#define X(NAME, name)                                                                              \
    float ifn_scalar_dot_##name(const void *w, const ifn_block_q8_32f *x, int64_t n);
IFN_BLOCK_DTYPES(X)
#undef X

/* Declares `block`, a copy of block i of the row w: blocks of a mapped file may have any alignment. */
#define IFN_LOAD_BLOCK(type, block, w, i)                                                          \
    type block;                                                                                    \
    memcpy(&block, (const uint8_t *)(w) + (size_t)(i) * sizeof block, sizeof block)

static inline float ifn_scalar_load_f16(const uint16_t *half)
{
    return ifn_f16_to_f32(ifn_load_u16le(half));
}

#endif
