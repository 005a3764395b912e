/* The family STAGNANT of attention (numerics 4.2): sums of products of queries and keys that stand still. */
#ifndef CONFORM_OPS_ATTENTION_STAGNANT_H
#define CONFORM_OPS_ATTENTION_STAGNANT_H

#include "module.h"

/* Fills data: q, k_cache, v_cache. */
void conform_fill_stagnant_scores(const conform_case *c, void *const *data);

#endif
