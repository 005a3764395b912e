/* The family TIES: values that quantizers and roundings part on. */
#ifndef CONFORM_GEN_TIES_H
#define CONFORM_GEN_TIES_H

#include "gen.h"

/*
 * Values at which quantizers to `dtype` round: ties, and within three units in the last place of
 * ties, where x * (1/d), x / d and a fused multiply-add part. Of F16 and BF16: halfway between
 * neighbours.
 */
void conform_fill_ties(const conform_case *c, const char *name, ifn_dtype dtype, float *out,
                       int64_t n);

#endif
