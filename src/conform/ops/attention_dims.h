/* The dimensions of an attention case and what follows from them. */
#ifndef CONFORM_OPS_ATTENTION_DIMS_H
#define CONFORM_OPS_ATTENTION_DIMS_H

#include "module.h"

/* slack: masked positions of the cache after the new rows. group: query heads per KV head.
 * cut_keys: 1: PARTIALS of all key blocks, then their MERGE */
enum {
    ATTENTION_ROWS,
    ATTENTION_FIRST_POS,
    ATTENTION_SLACK,
    ATTENTION_N_KV_HEADS,
    ATTENTION_GROUP,
    ATTENTION_HEAD_DIM,
    ATTENTION_CUT_KEYS
};

/* 1 if kv_store writes and attention reads a cache of this dtype. */
static inline int conform_is_cache_dtype(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_F32 || dtype == IFN_DTYPE_F16 || dtype == IFN_DTYPE_Q8_0;
}

static inline int64_t conform_attention_max_pos(const conform_case *c)
{
    return c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS] + c->dim[ATTENTION_SLACK];
}

/*
 * The scale of an attention case: 1/sqrt(head_dim), as in models, divided by the powers of two that the generator gives
 * the operands of NORMAL, GRADED and SCALARS cases, so that scores are about 1 and every key has weight. 1 in T0, where
 * integers must stay exact; 0 in some cases of SPECIALS.
 */
float conform_attention_scale(const conform_case *c);
/* 1 in every other case of SCALARS: queries and keys are positive, so that all scores have the sign of the scale. */
int conform_scores_have_one_sign(const conform_case *c);

#endif
