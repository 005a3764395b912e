/*
 * A block of attention for many queries: K and V of a block become panels, once for up to SPAN
 * queries, and both products are made of register tiles. The order: attention_pass.h.
 */
#ifndef IFN_ATTENTION_PANELS_H
#define IFN_ATTENTION_PANELS_H

#include "attention_pass.h"

enum {
    SPAN = 512,    /* queries that share the panels of a block */
    MANY = 24,     /* queries, from which on panels are worth while: by measurement */
    SCORE_ROWS = 6 /* queries of a tile of scores, by KEY_PANEL keys */
};

typedef struct attention_panels {
    float *k;                 /* [KEYS / KEY_PANEL][head_dim][KEY_PANEL] */
    float *v;                 /* [head_dim / PANEL][KEYS][PANEL], then [KEYS][VL] */
    float *q;                 /* [SCORE_ROWS][q_stride]: the queries of a tile */
    int64_t q_stride, padded; /* padded: head_dim up to whole vectors */
} attention_panels;

static inline int64_t attention_padded(int64_t head_dim)
{
    return (head_dim + VL - 1) / VL * VL;
}

/* Elements of all panels. Rows of q never stand in the same sets of a cache. */
static inline int64_t attention_panel_floats(int64_t head_dim)
{
    return 2 * KEYS * attention_padded(head_dim) + SCORE_ROWS * (attention_padded(head_dim) + VL);
}

/* In the scratch of a call; k is NULL where that is too small. */
static inline attention_panels attention_panels_in(const ifn_call *call, int64_t head_dim)
{
    attention_panels p = {.padded = attention_padded(head_dim)};
    if (call->scratch_bytes / sizeof(float) < (size_t)attention_panel_floats(head_dim))
        return p;
    p.q_stride = p.padded + VL;
    p.k = call->scratch;
    p.v = p.k + KEYS * p.padded;
    p.q = p.v + KEYS * p.padded;
    return p;
}

/* Keys [0, n) of a block. */
void IFN_KERNEL(attention_fill_panels)(const attention_panels *p, const attention_cache *cache,
                                       int64_t block, int64_t n);
/* The scores of every query of the pass with the keys of the panels. */
void IFN_KERNEL(attention_score_many)(attention_pass *p, const attention_panels *panels);
/* Components [c, c + n) of the accumulators, n at most TILE_COMPONENTS. */
void IFN_KERNEL(attention_accumulate_many)(attention_pass *p, const attention_panels *panels,
                                           int64_t c, int64_t n, float (*out)[TILE_COMPONENTS]);

#endif
