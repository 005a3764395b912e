/*
 * Families that shape blocks of 32 and whole rows, to find errors in searches for a maximum, in scales and in
 * quantizers. Parts of gen.c and gen_blocks.c.
 */
#ifndef CONFORM_GEN_REGIMES_H
#define CONFORM_GEN_REGIMES_H

#include <stdbool.h>

#include "case.h"
#include "operand.h"
#include "stream.h"

/* The place of a value: its index along the reduction, the length of that, which reduction of the tensor it is, and its
 * index in the whole tensor. */
typedef struct conform_place {
    int64_t along, length, which;
    uint64_t index;
} conform_place;

/* True if conform_regime_value covers the family of the case; most cases are of other families. */
static inline bool conform_has_regime(const conform_case *c)
{
    const conform_family f = c->family;
    return (f >= FAMILY_ZEROS && f <= FAMILY_SPARSE) || f == FAMILY_RISING || f == FAMILY_WALL ||
           f == FAMILY_PATTERNS;
}

/* Returns 1 and sets *value if the family of the case defines the value at p; 0: the value is an ordinary one. */
int conform_regime_value(const conform_case *c, conform_stream s, conform_operand operand,
                         conform_place p, float *value);

/* Bit patterns that a copy must keep and arithmetic need not: NaN of all kinds, infinities, both zeros, subnormals. */
uint32_t conform_odd_bits(uint64_t random);
float conform_float_of(uint32_t bits);

/* Which elements of a block of the family ZEROS are zero. */
typedef enum conform_zero {
    ZERO_PLUS,  /* everything is +0 */
    ZERO_MINUS, /* everything is -0 */
    ZERO_MIXED, /* everything is +0 or -0 */
    ZERO_MOSTLY,
    ZERO_NOTHING
} conform_zero;

conform_zero conform_zero_of(conform_stream s, int64_t which, int64_t block);
float conform_zeros(conform_stream s, conform_place p);

/* True for one value in 101, by its own random bits: the values that differ from the rest in CONSTANT. */
static inline int conform_is_seldom(uint64_t bits)
{
    return (bits >> 40) % 101 == 0;
}

/* True if the case has special values: of SPECIALS, or of ON_ZEROS, which places them in one way only. */
static inline bool conform_has_specials(const conform_case *c)
{
    return c->family == FAMILY_SPECIALS || c->family == FAMILY_ON_ZEROS;
}

/* How a case places its special values. */
typedef enum conform_placing {
    PLACING_STREWN, /* at random */
    PLACING_LONE,   /* one in each row: results that it does not reach must stay numbers */
    PLACING_ON_ZEROS /* in one factor, over blocks of zeros in the other, which a kernel must not skip */
} conform_placing;

conform_placing conform_placing_of(const conform_case *c);
/* The index, of `n` along a row, of the row's only special value: any, often the last. */
int64_t conform_lone(conform_stream s, int64_t which, int64_t n);
/* PLACING_ON_ZEROS: 1 if this factor has the zeros. */
int conform_has_zeros(const conform_case *c, conform_operand operand);

#endif
