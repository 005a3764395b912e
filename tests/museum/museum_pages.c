/*
 * Caches in pages, for faults that do not handle pages: a fault gets a copy of the rows without pages,
 * so that it is as wrong as it is without pages, and no more.
 */
#include "museum_kit.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/spans.h>

typedef struct rows {
    const int32_t *pages;
    int64_t page_rows, heads, max_pos, reach;
    size_t bytes; /* of a row */
} rows;

/* Copies [heads, reach] rows out of pages; with `back` copies the rows that have changed into the pages, as the call
 * may not write the others. */
static void copy_rows(const rows *r, unsigned char *cache, unsigned char *copy, int back)
{
    for (int64_t h = 0; h < r->heads; h++)
        for (int64_t pos = 0; pos < r->reach; pos++) {
            const int64_t at = h * r->max_pos + ifn_page_row(r->pages, r->page_rows, pos);
            unsigned char *const there = cache + (size_t)at * r->bytes;
            unsigned char *const here = copy + (size_t)(h * r->reach + pos) * r->bytes;
            if (!back || memcmp(there, here, r->bytes) != 0)
                memcpy(back ? there : here, back ? here : there, r->bytes);
        }
}

static unsigned char *copy_of(const rows *r, const void *cache)
{
    unsigned char *const copy = malloc((size_t)(r->heads * r->reach) * r->bytes + IFN_MAX_OVERREAD);
    if (copy)
        copy_rows(r, (unsigned char *)(uintptr_t)cache, copy, 0);
    return copy;
}

static int fits(const rows *r, int64_t first_pos, int64_t n, int64_t n_pages)
{
    return n >= 0 && first_pos >= 0 && r->heads >= 0 && n <= r->max_pos - first_pos &&
           ifn_pages_fit(r->pages, n_pages, r->page_rows, r->max_pos, r->reach);
}

ifn_status museum_attention_unpaged(ifn_backend *self, const ifn_attention_args *a,
                                    museum_attention_fn fault)
{
    ifn_attention_args plain = *a;
    const rows r = {a->pages,   a->page_rows,           a->n_kv_heads,
                    a->max_pos, a->first_pos + a->rows, museum_attention_row_bytes(a)};
    if (a->page_rows == 0)
        return fault(self, a);
    ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK)
        return status;
    plain.pages = NULL;
    plain.n_pages = plain.page_rows = 0;
    plain.max_pos = r.reach;
    if (a->phase == IFN_ATTENTION_MERGE) /* reads no cache */
        return fault(self, &plain);
    unsigned char *const k = copy_of(&r, a->k_cache), *const v = copy_of(&r, a->v_cache);
    plain.k_cache = k;
    plain.v_cache = v;
    status = k && v ? fault(self, &plain) : IFN_ERR_NOMEM;
    free(k);
    free(v);
    return status;
}

ifn_status museum_kv_store_unpaged(ifn_backend *self, const ifn_kv_store_args *a,
                                   museum_kv_store_fn fault)
{
    ifn_kv_store_args plain = *a;
    const int64_t block = museum_block_elements(a->cache_dtype);
    if (a->page_rows == 0)
        return fault(self, a);
    if (block == 0 || a->head_dim < 1 || a->head_dim % block != 0)
        return ifn_kv_store(self->base, a);
    const rows r = {a->pages,
                    a->page_rows,
                    a->n_kv_heads,
                    a->max_pos,
                    a->first_pos + a->rows,
                    (size_t)(a->head_dim / block) * museum_block_bytes(a->cache_dtype)};
    if (!fits(&r, a->first_pos, a->rows, a->n_pages))
        return ifn_kv_store(self->base, a);
    unsigned char *const k = copy_of(&r, a->k_cache), *const v = copy_of(&r, a->v_cache);
    plain.k_cache = k;
    plain.v_cache = v;
    plain.max_pos = r.reach;
    plain.pages = NULL;
    plain.n_pages = plain.page_rows = 0;
    const ifn_status status = k && v ? fault(self, &plain) : IFN_ERR_NOMEM;
    if (status == IFN_OK) {
        copy_rows(&r, a->k_cache, k, 1);
        copy_rows(&r, a->v_cache, v, 1);
    }
    free(k);
    free(v);
    return status;
}

ifn_status museum_attention_table(ifn_backend *base, const ifn_attention_args *a, int64_t page_rows,
                                  int32_t (*entry)(const ifn_attention_args *a,
                                                   const int32_t *before, int64_t i))
{
    ifn_attention_args changed = *a;
    ifn_status status = ifn_attention(base, a);
    if (status != IFN_OK || a->page_rows == 0 || a->phase == IFN_ATTENTION_MERGE)
        return status;
    changed.page_rows = page_rows;
    changed.n_pages = (a->first_pos + a->rows + page_rows - 1) / page_rows;
    int32_t *const table = malloc((size_t)(changed.n_pages + 1) * sizeof *table);
    if (!table)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < changed.n_pages; i++) {
        const int32_t page = entry(a, table, i);
        table[i] = page < a->max_pos / page_rows ? page : 0;
    }
    changed.pages = table;
    status = ifn_attention(base, &changed);
    free(table);
    return status;
}
