/*
 * Values are multiplied up to the end of their page, those after the last key by a weight of zero: old NaN or
 * infinite contents of the page give NaN.
 *
 * Follows vllm#936
 */
#include <inferno/spans.h>

#include "museum_kit.h"

static void add_zeros(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t seen = a->first_pos + row + 1, size = a->page_rows;
    const int64_t end = (seen + size - 1) / size * size;
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    float *const out = a->out + (row * a->n_heads + head) * a->head_dim;
    for (int64_t t = seen; t < end; t++) {
        const int64_t at = kv_head * a->max_pos + ifn_page_row(a->pages, size, t);
        const float *const v = (const float *)a->v_cache + at * a->head_dim;
        for (int64_t c = 0; c < a->head_dim; c++)
            out[c] += 0.0f * v[c];
    }
}

ifn_status museum_last_page_read_whole(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->page_rows == 0 || a->phase != IFN_ATTENTION_WHOLE ||
        a->cache_dtype != IFN_DTYPE_F32)
        return status;
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++)
            add_zeros(a, r, h);
    return status;
}
