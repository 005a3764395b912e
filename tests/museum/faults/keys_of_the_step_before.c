/*
 * A decode step that continues the previous call reuses the first block of keys that it copied then, as if older keys
 * never changed.
 */
#include <string.h>

#include "museum_kit.h"

enum { MOST = 1 << 17 };

typedef struct kept_keys {
    const void *cache;
    int64_t pos, bytes;
    unsigned char first[MOST];
} kept_keys;

static int is_known_shape(const ifn_attention_args *a, int64_t bytes)
{
    return a->rows == 1 && a->n_kv_heads == 1 && a->first_pos >= IFN_ATTENTION_BLOCK &&
           a->phase == IFN_ATTENTION_WHOLE && bytes > 0 && bytes <= MOST;
}

ifn_status museum_keys_of_the_step_before(ifn_backend *self, const ifn_attention_args *a)
{
    static _Thread_local kept_keys kept;
    static _Thread_local unsigned char keys[8 * MOST];
    const museum_row row = museum_row_of(a->cache_dtype, a->head_dim);
    const int64_t bytes = IFN_ATTENTION_BLOCK * row.bytes;
    const size_t all = (size_t)((a->first_pos + 1) * row.bytes);
    ifn_attention_args old = *a;
    if (!is_known_shape(a, bytes) || all > sizeof keys)
        return ifn_attention(self->base, a);
    if (kept.cache == a->k_cache && kept.pos + 1 == a->first_pos && kept.bytes == bytes) {
        memcpy(keys, a->k_cache, all);
        memcpy(keys, kept.first, (size_t)bytes);
        old.k_cache = keys;
    } else
        memcpy(kept.first, a->k_cache, (size_t)bytes);
    kept.cache = a->k_cache;
    kept.pos = a->first_pos;
    kept.bytes = bytes;
    return ifn_attention(self->base, &old);
}
