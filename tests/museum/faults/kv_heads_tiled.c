/*
 * KV heads are tiled over the query heads, not repeated.
 *
 * Follows jax-js#180
 */
#include "museum_kit.h"

static int64_t tiled(const ifn_attention_args *a, int64_t head)
{
    return head % a->n_kv_heads;
}

ifn_status museum_kv_heads_tiled(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_heads(self->base, a, tiled);
}
