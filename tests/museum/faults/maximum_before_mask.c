/*
 * The maximum that is subtracted includes the key after the last visible one, which an earlier, longer context may
 * have left in the cache. The maximum ignores NaN. A wrong maximum changes how all else is rounded.
 */
#include "museum_kit.h"

static int holds_key(const ifn_attention_args *a, int64_t head)
{
    const int64_t after = a->first_pos + a->rows;
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    const size_t row = museum_attention_row_bytes(a);
    const unsigned char *const cache = a->k_cache;
    if (after >= a->max_pos || row < 2)
        return 0;
    const unsigned char *const key = cache + (size_t)(kv_head * a->max_pos + after) * row;
    return key[0] != 0xff || key[1] != 0xff;
}

ifn_status museum_maximum_before_mask(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_nudged(self->base, a, holds_key);
}
