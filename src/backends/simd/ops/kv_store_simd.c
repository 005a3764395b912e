/*
 * kv_store: rows to f16 with the level's conversion, to Q8_0 bit for bit as numerics 8.2 says.
 * Reads 4 bytes per element, writes 4, 2 or 34/32. Floor: writing the rows, which lie far apart, head after
 * head.
 */
#include <inferno/spans.h>

#include "level.h"
#include "quantize_plain.h"
#include "scalar.h"

static void store_row(ifn_dtype dtype, const float *x, uint8_t *out, int64_t n)
{
    if (dtype == IFN_DTYPE_F32)
        memcpy(out, x, (size_t)n * sizeof *x);
    else if (dtype == IFN_DTYPE_F16)
        ifn_quantize_f16(x, out, n);
    else
        ifn_quantize_q8_0(x, out, n);
}

static void store_head(const ifn_kv_store_args *a, void *cache, const float *rows, int64_t head)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    uint8_t *const first = (uint8_t *)cache + (size_t)(head * a->max_pos) * row_bytes;
    for (int64_t r = 0; r < a->rows; r++) {
        const int64_t at = ifn_page_row(a->pages, a->page_rows, a->first_pos + r);
        store_row(a->cache_dtype, rows + (r * a->n_kv_heads + head) * a->head_dim,
                  first + (size_t)at * row_bytes, a->head_dim);
    }
}

ifn_status IFN_KERNEL(kv_store)(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->n_spans != 0)
        return ifn_kv_store_by_spans(self, a, IFN_KERNEL(kv_store));
    if (!ifn_scalar_kv_store_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_kv_heads);
    for (int64_t h = heads.begin; h < heads.end; h++) {
        store_head(a, a->k_cache, a->k, h);
        store_head(a, a->v_cache, a->v, h);
    }
    return IFN_OK;
}
