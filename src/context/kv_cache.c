#include "kv_cache.h"

#include "checked.h"

/* Rows are copied in words of four bytes, and two rows of any dtype are whole words. */
void ifn_kv_cache_take(ifn_kv_cache *self, const ifn_hparams *h, int64_t n_sequences,
                       int64_t max_pos, ifn_dtype dtype, ifn_arena *arena)
{
    size_t rows = 0;
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, h->head_dim);
    const bool is_odd = n_sequences > 1 && max_pos % 2 != 0;
    *self = (ifn_kv_cache){.slot = max_pos + (is_odd && max_pos < INT64_MAX), .dtype = dtype};
    if (!ifn_mul_i64(n_sequences, self->slot, &self->max_pos) ||
        !ifn_mul_size((size_t)h->n_kv_heads, (size_t)self->max_pos, &rows) ||
        !ifn_mul_size(rows, row_bytes, &self->layer_bytes))
        arena->failed = true;
    self->k = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
    self->v = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
}
