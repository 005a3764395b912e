#include "kv_cache.h"

#include "checked.h"

/* Sizes the slots. With several sequences a slot has an even number of rows: rows are copied in words of
 * 4 bytes, and two rows of any dtype are whole words. */
static void set_slots(ifn_kv_cache *self, const ifn_context_params *p, ifn_arena *arena)
{
    const bool is_odd = p->n_sequences > 1 && p->max_pos % 2 != 0;
    self->slot = p->max_pos + (is_odd && p->max_pos < INT64_MAX);
    if (!ifn_mul_i64(p->n_sequences, self->slot, &self->max_pos))
        arena->failed = true;
}

/* Sizes the pages. The block table's entries are int32_t, hence at most INT32_MAX pages. */
static void set_pages(ifn_kv_cache *self, const ifn_context_params *p, ifn_arena *arena)
{
    const int64_t each = p->max_pos / p->page_rows + (p->max_pos % p->page_rows != 0);
    self->page_rows = p->page_rows;
    self->n_pages = p->n_pages;
    if ((self->n_pages == 0 && !ifn_mul_i64(p->n_sequences, each, &self->n_pages)) ||
        self->n_pages > INT32_MAX || !ifn_mul_i64(each, p->page_rows, &self->slot) ||
        !ifn_mul_i64(self->n_pages, p->page_rows, &self->max_pos))
        arena->failed = true;
}

void ifn_kv_cache_take(ifn_kv_cache *self, const ifn_hparams *h, const ifn_context_params *p,
                       ifn_dtype dtype, ifn_arena *arena)
{
    size_t rows = 0;
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, h->head_dim);
    *self = (ifn_kv_cache){.dtype = dtype};
    if (p->page_rows > 0)
        set_pages(self, p, arena);
    else
        set_slots(self, p, arena);
    if (!ifn_mul_size((size_t)h->n_kv_heads, (size_t)self->max_pos, &rows) ||
        !ifn_mul_size(rows, row_bytes, &self->layer_bytes))
        arena->failed = true;
    self->k = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
    self->v = ifn_arena_take(arena, (size_t)h->n_layers, self->layer_bytes);
}
