/* The dimensions of an attention case and what follows from them. */
#ifndef CONFORM_OPS_ATTENTION_H
#define CONFORM_OPS_ATTENTION_H

#include <math.h>

#include "module.h"

/* slack: masked positions of the cache behind the new rows. group: query heads per KV head */
enum {
    ATTENTION_ROWS,
    ATTENTION_FIRST_POS,
    ATTENTION_SLACK,
    ATTENTION_N_KV_HEADS,
    ATTENTION_GROUP,
    ATTENTION_HEAD_DIM
};

static inline int64_t conform_attention_max_pos(const conform_case *c)
{
    return c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS] + c->dim[ATTENTION_SLACK];
}

/* 1/sqrt(head_dim), as models have it; 1 where integers must stay exact. */
static inline float conform_attention_scale(const conform_case *c)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    return c->tier == TIER_T0 || head_dim == 0 ? 1.0f : 1.0f / sqrtf((float)head_dim);
}

#endif
