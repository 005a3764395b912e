#include "kv_copy.h"

static ifn_status copy_rows(ifn_context *self, unsigned char *cache, int64_t from, int64_t to,
                            int64_t n)
{
    const ifn_kv_cache *const kv = &self->b.kv;
    const size_t row = ifn_dtype_row_bytes(kv->dtype, self->h->head_dim);
    const int64_t words = (n + n % 2) * (int64_t)row / 4;
    for (int64_t head = 0; head < self->h->n_kv_heads; head++) {
        unsigned char *const rows = cache + (size_t)(head * kv->max_pos) * row;
        IFN_TRY(IFN_STEP(self, copy_contiguous_into, .out = rows + (size_t)to * row,
                         .x = rows + (size_t)from * row, .n = words, .out_n = words));
    }
    return IFN_OK;
}

ifn_status ifn_kv_copy_rows(ifn_context *self, int64_t from, int64_t to, int64_t n)
{
    ifn_context_at(self, IFN_POINT_INPUTS);
    for (int64_t layer = 0; layer < self->h->n_layers; layer++) {
        self->layer = (int16_t)layer;
        IFN_TRY(copy_rows(self, ifn_kv_cache_k(&self->b.kv, layer), from, to, n));
        IFN_TRY(copy_rows(self, ifn_kv_cache_v(&self->b.kv, layer), from, to, n));
    }
    return IFN_OK;
}
