/*
 * The KV cache: K and V of every layer, allocated once. The rows of sequence s begin at row s * slot.
 *
 * For the attention op a layer is [n_kv_heads, max_pos, head_dim] in the cache's dtype; the
 * primitive graph reads the same bytes as f32 [max_pos, n_kv_heads * head_dim]. A paged cache has a
 * block table instead: each sequence owns slot / page_rows entries of it, and these say which page
 * holds which rows (cache_rows.h).
 */
#ifndef IFN_KV_CACHE_H
#define IFN_KV_CACHE_H

#include <inferno/context.h>
#include <inferno/dtype.h>
#include <inferno/model.h>

#include "arena.h"

typedef struct ifn_kv_cache {
    unsigned char *k, *v; /* [n_layers] layers; addresses only, never dereferenced here */
    size_t layer_bytes;   /* of one layer of K; the same of V */
    int64_t max_pos;      /* rows of a head, all sequences together */
    int64_t slot;         /* rows of one sequence; even if several, whole pages if paged */
    int64_t page_rows;    /* 0: no pages */
    int64_t n_pages;
    ifn_dtype dtype;
} ifn_kv_cache;

/* Sizes the cache and takes its memory from the arena. Reads n_sequences, max_pos, page_rows and n_pages
 * of `p`; sets arena->failed if a size overflows. */
void ifn_kv_cache_take(ifn_kv_cache *self, const ifn_hparams *h, const ifn_context_params *p,
                       ifn_dtype dtype, ifn_arena *arena);

static inline void *ifn_kv_cache_k(const ifn_kv_cache *self, int64_t layer)
{
    return self->k + (size_t)layer * self->layer_bytes;
}

static inline void *ifn_kv_cache_v(const ifn_kv_cache *self, int64_t layer)
{
    return self->v + (size_t)layer * self->layer_bytes;
}

/* Entries of the block table that n_sequences sequences have; 0 without pages. */
static inline int64_t ifn_kv_cache_entries(const ifn_kv_cache *self, int64_t n_sequences)
{
    return self->page_rows > 0 ? n_sequences * (self->slot / self->page_rows) : 0;
}

#endif
