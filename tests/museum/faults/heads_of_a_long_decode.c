/*
 * The kernel for a decode over a thousand keys or more swaps the second query head of the first KV head with the
 * first query head of the second.
 */
#include "museum_kit.h"

static void swap(float *a, float *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

ifn_status museum_heads_of_a_long_decode(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const int is_whole = a->phase == 0 && a->part_begin == 0 && a->part_end == 0;
    if (status == IFN_OK && is_whole && a->n_spans == 0 && a->rows == 1 && a->first_pos > 1022 &&
        a->n_kv_heads > 1 && a->n_heads > a->n_kv_heads)
        swap(a->out + a->head_dim, a->out + a->n_heads / a->n_kv_heads * a->head_dim, a->head_dim);
    return status;
}
