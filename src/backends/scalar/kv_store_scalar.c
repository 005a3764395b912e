#include "attention_scalar.h"
#include "scalar.h"

#include <inferno/quant.h>

int ifn_scalar_kv_store_fits(const ifn_kv_store_args *a)
{
    return a->n_kv_heads >= 0 &&
           ifn_scalar_cache_fits(a->cache_dtype, a->rows, a->first_pos, a->max_pos, a->head_dim) &&
           ifn_pages_fit(a->pages, a->n_pages, a->page_rows, a->max_pos, a->first_pos + a->rows);
}

static ifn_status store(const ifn_kv_store_args *a, void *cache, const float *rows, int64_t head)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    for (int64_t r = 0; r < a->rows; r++) {
        const int64_t place = ifn_page_row(a->pages, a->page_rows, a->first_pos + r);
        const size_t at = (size_t)(head * a->max_pos + place) * row_bytes;
        const float *const row = rows + (r * a->n_kv_heads + head) * a->head_dim;
        IFN_TRY(ifn_quantize_row(a->cache_dtype, row, (unsigned char *)cache + at, a->head_dim));
    }
    return IFN_OK;
}

ifn_status ifn_scalar_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->n_spans != 0)
        return ifn_kv_store_by_spans(self, a, ifn_scalar_kv_store);
    if (!ifn_scalar_kv_store_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_kv_heads);
    for (int64_t h = heads.begin; h < heads.end; h++) {
        IFN_TRY(store(a, a->k_cache, a->k, h));
        IFN_TRY(store(a, a->v_cache, a->v, h));
    }
    return IFN_OK;
}
