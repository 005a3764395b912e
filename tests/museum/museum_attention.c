#include "museum_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t museum_attention_row_bytes(const ifn_attention_args *a)
{
    const int64_t block = museum_block_elements(a->cache_dtype);
    return block ? (size_t)(a->head_dim / block) * museum_block_bytes(a->cache_dtype) : 0;
}

/* Runs the call on the base. True if that succeeds and the call is whole, not a phase: only such calls are changed. */
static int is_ours(ifn_backend *base, const ifn_attention_args *a, ifn_status *status)
{
    *status = ifn_attention(base, a);
    return *status == IFN_OK && a->phase == IFN_ATTENTION_WHOLE;
}

/* The call for one row only. */
static ifn_attention_args one_row(const ifn_attention_args *a, int64_t row)
{
    ifn_attention_args one = *a;
    const int64_t n = a->n_heads * a->head_dim;
    one.rows = 1;
    one.first_pos = a->first_pos + row;
    one.q = a->q + row * n;
    one.out = a->out + row * n;
    return one;
}

ifn_status museum_attention_heads(ifn_backend *base, const ifn_attention_args *a,
                                  int64_t (*kv_head)(const ifn_attention_args *a, int64_t head))
{
    ifn_status status;
    if (!is_ours(base, a, &status))
        return status;
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t h = heads.begin; status == IFN_OK && h < heads.end; h++) {
        ifn_attention_args one = *a;
        const int64_t right = h * a->n_kv_heads / a->n_heads;
        const int64_t off =
            (kv_head(a, h) - right) * a->max_pos * (int64_t)museum_attention_row_bytes(a);
        one.part_begin = h;
        one.part_end = h + 1;
        one.k_cache = (const unsigned char *)a->k_cache + off;
        one.v_cache = (const unsigned char *)a->v_cache + off;
        status = ifn_attention(base, &one);
    }
    return status;
}

ifn_status museum_attention_positions(ifn_backend *base, const ifn_attention_args *a,
                                      int64_t (*last)(const ifn_attention_args *a, int64_t pos))
{
    ifn_status status;
    if (!is_ours(base, a, &status))
        return status;
    for (int64_t r = 0; status == IFN_OK && r < a->rows; r++) {
        ifn_attention_args one = one_row(a, r);
        one.first_pos = last(a, one.first_pos);
        status = ifn_attention(base, &one);
    }
    return status;
}

/* Copies the positions that the call sees; the rest of a span's cache may not exist. */
static void copy_moved(const ifn_attention_args *a, const unsigned char *cache, unsigned char *copy,
                       int64_t (*from)(const ifn_attention_args *a, int64_t pos))
{
    const size_t bytes = museum_attention_row_bytes(a);
    const int64_t visible = a->first_pos + a->rows;
    for (int64_t h = 0; h < a->n_kv_heads; h++)
        for (int64_t pos = 0; pos < visible && pos < a->max_pos; pos++) {
            const int64_t first = h * a->max_pos, to = first + pos, source = first + from(a, pos);
            memcpy(copy + (size_t)to * bytes, cache + (size_t)source * bytes, bytes);
        }
}

/* `cache` is &changed->k_cache or &changed->v_cache; `changed` is a copy of the call. */
static ifn_status on_moved(ifn_backend *base, ifn_attention_args *changed, const void **cache,
                           int64_t (*from)(const ifn_attention_args *a, int64_t pos))
{
    const size_t bytes =
        (size_t)(changed->n_kv_heads * changed->max_pos) * museum_attention_row_bytes(changed);
    ifn_status status;
    if (!is_ours(base, changed, &status) || bytes > MUSEUM_MOST_COPIED)
        return status;
    unsigned char *const copy = malloc(bytes + IFN_MAX_OVERREAD);
    if (!copy)
        return IFN_ERR_NOMEM;
    copy_moved(changed, *cache, copy, from);
    *cache = copy;
    status = ifn_attention(base, changed);
    free(copy);
    return status;
}

ifn_status museum_attention_keys(ifn_backend *base, const ifn_attention_args *a,
                                 int64_t (*from)(const ifn_attention_args *a, int64_t pos))
{
    ifn_attention_args changed = *a;
    return on_moved(base, &changed, &changed.k_cache, from);
}

ifn_status museum_attention_values(ifn_backend *base, const ifn_attention_args *a,
                                   int64_t (*from)(const ifn_attention_args *a, int64_t pos))
{
    ifn_attention_args changed = *a;
    return on_moved(base, &changed, &changed.v_cache, from);
}

/* Leaves alone calls with scale 1 (tier T0 has exact results, which no other rounding changes) and infinities (which no
 * rounding leads to or from). */
static void nudge_head(const ifn_attention_args *a, int64_t head)
{
    for (int64_t r = 0; r < a->rows && a->scale != 1.0f; r++) {
        float *const out = a->out + (r * a->n_heads + head) * a->head_dim;
        for (int64_t i = 0; i < a->head_dim; i++)
            out[i] = isinf(out[i]) ? out[i] : nextafterf(out[i], 0.0f);
    }
}

ifn_status museum_attention_nudged(ifn_backend *base, const ifn_attention_args *a,
                                   int (*is_wrong)(const ifn_attention_args *a, int64_t head))
{
    const ifn_status status = ifn_attention(base, a);
    if (status != IFN_OK || a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t h = heads.begin; h < heads.end; h++)
        if (is_wrong(a, h))
            nudge_head(a, h);
    return status;
}

ifn_status museum_attention_lost(ifn_backend *base, const ifn_attention_args *a,
                                 int (*is_lost)(const ifn_attention_args *a, const float *q,
                                                const float *keys, int64_t n))
{
    const ifn_status status = ifn_attention(base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->n_spans > 0 || a->page_rows > 0 ||
        a->cache_dtype != IFN_DTYPE_F32 || a->head_dim < 1)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++) {
            const int64_t at = (r * a->n_heads + h) * a->head_dim;
            const int64_t kv_head = h / (a->n_heads / a->n_kv_heads);
            const float *const keys =
                (const float *)a->k_cache + kv_head * a->max_pos * a->head_dim;
            if (is_lost(a, a->q + at, keys, a->first_pos + r + 1))
                memset(a->out + at, 0, (size_t)a->head_dim * sizeof *a->out);
        }
    return status;
}

ifn_status museum_attention_queries(ifn_backend *base, const ifn_attention_args *a,
                                    void (*edit)(float *row, int64_t n))
{
    ifn_attention_args changed = *a;
    ifn_status status = ifn_attention(base, a);
    const int64_t n = status == IFN_OK ? a->rows * a->n_heads * a->head_dim : 0;
    if (n == 0 || n > MUSEUM_MOST_COPIED / (int64_t)sizeof(float))
        return status;
    float *const q = malloc((size_t)n * sizeof *q);
    if (!q)
        return IFN_ERR_NOMEM;
    memcpy(q, a->q, (size_t)n * sizeof *q);
    edit(q, n);
    changed.q = q;
    status = ifn_attention(base, &changed);
    free(q);
    return status;
}
