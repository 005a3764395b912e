/*
 * Families that are about blocks of 32 and whole rows: what a maximum, a scale or a quantizer
 * stumbles over. Parts of gen.c and gen_blocks.c.
 */
#ifndef CONFORM_GEN_REGIMES_H
#define CONFORM_GEN_REGIMES_H

#include <stdbool.h>

#include "case.h"
#include "operand.h"
#include "stream.h"

/* Where a value stands: along its reduction, of which length, in which, and in the whole tensor. */
typedef struct conform_place {
    int64_t along, length, which;
    uint64_t index;
} conform_place;

/* Whether conform_regime_value is to be asked at all: most cases are of other families. */
static inline bool conform_has_regime(const conform_case *c)
{
    const conform_family f = c->family;
    return (f >= FAMILY_ZEROS && f <= FAMILY_SPARSE) || f == FAMILY_RISING || f == FAMILY_WALL ||
           f == FAMILY_PATTERNS;
}

/* 1 and *value, if the family of the case says what stands there; 0: it is as in any other. */
int conform_regime_value(const conform_case *c, conform_stream s, conform_operand operand,
                         conform_place p, float *value);

/* Bits that a float is copied by, and arithmetic need not keep: NaN of all kinds, both zeros. */
uint32_t conform_odd_bits(uint64_t random);
float conform_float_of(uint32_t bits);

/* What is zero of a block of the family ZEROS. */
typedef enum conform_zero {
    ZERO_PLUS,  /* everything is +0 */
    ZERO_MINUS, /* everything is -0 */
    ZERO_MIXED, /* both */
    ZERO_MOSTLY,
    ZERO_NOTHING
} conform_zero;

conform_zero conform_zero_of(conform_stream s, int64_t which, int64_t block);
float conform_zeros(conform_stream s, conform_place p);

/* One value in a hundred or so, by bits of its own: in CONSTANT another one than the rest. */
static inline int conform_is_seldom(uint64_t bits)
{
    return (bits >> 40) % 101 == 0;
}

/* 1: of SPECIALS, or of ON_ZEROS, which has them in one way alone. */
static inline bool conform_has_specials(const conform_case *c)
{
    return c->family == FAMILY_SPECIALS || c->family == FAMILY_ON_ZEROS;
}

/* How a case has them. */
typedef enum conform_placing {
    PLACING_STREWN,  /* at random */
    PLACING_LONE,    /* one in each row: what it does not reach stays a number */
    PLACING_ON_ZEROS /* in one factor, over blocks of zeros in the other, which nothing may skip */
} conform_placing;

conform_placing conform_placing_of(const conform_case *c);
/* Of `n` along a row, the one that is special alone: any, often the last. */
int64_t conform_lone(conform_stream s, int64_t which, int64_t n);
/* Of PLACING_ON_ZEROS: whether this factor has the zeros. */
int conform_has_zeros(const conform_case *c, conform_operand operand);

#endif
