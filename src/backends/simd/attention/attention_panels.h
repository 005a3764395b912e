/*
 * A block of attention for many queries: K and V of a block are copied into panels, once for up to SPAN
 * queries, and both products use register tiles. The order of sums: attention_pass.h.
 */
#ifndef IFN_ATTENTION_PANELS_H
#define IFN_ATTENTION_PANELS_H

#include "attention_pass.h"

enum {
    SPAN = 512,    /* the most queries that share the panels of a block */
    MANY = 24,     /* with so many queries or more, panels pay: by measurement */
    SCORE_ROWS = 6 /* queries of a tile of scores, which has KEY_PANEL keys */
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

/* Elements of all panels. The stride of q keeps its rows from mapping to the same cache sets. */
static inline int64_t attention_panel_floats(int64_t head_dim)
{
    return 2 * KEYS * attention_padded(head_dim) + SCORE_ROWS * (attention_padded(head_dim) + VL);
}

/* Places the panels in the scratch of a call; k is NULL if the scratch is too small. */
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

/* Fills the panels with keys and values [0, n) of a block. */
void IFN_KERNEL(attention_fill_panels)(const attention_panels *p, const attention_cache *cache,
                                       int64_t block, int64_t n);
/* Computes the scores of every query of the pass with the keys of the panels. */
void IFN_KERNEL(attention_score_many)(attention_pass *p, const attention_panels *panels);
/* Computes components [c, c + n) of the accumulators, n at most TILE_COMPONENTS. */
void IFN_KERNEL(attention_accumulate_many)(attention_pass *p, const attention_panels *panels,
                                           int64_t c, int64_t n, float (*out)[TILE_COMPONENTS]);

#endif
