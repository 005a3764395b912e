#include "kv_cache.h"

#include "checked.h"

void ifn_kv_cache_take(ifn_kv_cache *self, const ifn_hparams *h, int64_t max_pos, ifn_dtype dtype,
                       ifn_arena *arena)
{
    size_t rows = 0;
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, h->head_dim);
    *self = (ifn_kv_cache){.max_pos = max_pos, .dtype = dtype};
    if (!ifn_mul_size((size_t)h->n_kv_heads, (size_t)max_pos, &rows) ||
        !ifn_mul_size(rows, row_bytes, &self->layer_bytes))
        arena->failed = true;
    self->k = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
    self->v = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
}
