/* The family TIES: values on which quantizers and roundings disagree. */
#ifndef CONFORM_GEN_TIES_H
#define CONFORM_GEN_TIES_H

#include "gen.h"

/*
 * Fills in values at which quantizers to `dtype` change their result: ties, and values within three units in the
 * last place of ties, where x * (1/d), x / d and a fused multiply-add give different results. F16 and BF16: values
 * halfway between neighbours.
 */
void conform_fill_ties(const conform_case *c, const char *name, ifn_dtype dtype, float *out,
                       int64_t n);

#endif
