/*
 * The KV cache: K and V of every layer, allocated once. Sequence s has the rows from s * slot on.
 *
 * For the attention op a layer is [n_kv_heads, max_pos, head_dim] in the cache's dtype; the
 * primitive graph reads the same bytes as f32 [max_pos, n_kv_heads * head_dim].
 */
#ifndef IFN_KV_CACHE_H
#define IFN_KV_CACHE_H

#include <inferno/dtype.h>
#include <inferno/model.h>

#include "arena.h"

typedef struct ifn_kv_cache {
    unsigned char *k, *v; /* [n_layers] layers, addresses only */
    size_t layer_bytes;   /* of K, and of V */
    int64_t max_pos;      /* rows of a head, all sequences together */
    int64_t slot;         /* of one sequence; even where there are several */
    ifn_dtype dtype;
} ifn_kv_cache;

void ifn_kv_cache_take(ifn_kv_cache *self, const ifn_hparams *h, int64_t n_sequences,
                       int64_t max_pos, ifn_dtype dtype, ifn_arena *arena);

static inline void *ifn_kv_cache_k(const ifn_kv_cache *self, int64_t layer)
{
    return self->k + (size_t)layer * self->layer_bytes;
}

static inline void *ifn_kv_cache_v(const ifn_kv_cache *self, int64_t layer)
{
    return self->v + (size_t)layer * self->layer_bytes;
}

#endif
