/* Reads the rows of a page after the last stored one and writes them back. */
#include <inferno/spans.h>

#include "museum_kit.h"

/* Of the row at `pos` of one head. */
static void put_back(const ifn_kv_store_args *a, int64_t pos)
{
    const ifn_attention_args like = {.cache_dtype = a->cache_dtype, .head_dim = a->head_dim};
    const size_t row_bytes = museum_attention_row_bytes(&like);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    const int64_t row = ifn_page_row(a->pages, a->page_rows, pos);
    const int64_t end = row - row % a->page_rows + a->page_rows;
    for (int64_t head = heads.begin; head < heads.end; head++) {
        volatile unsigned char *const first =
            (unsigned char *)a->k_cache + (size_t)(head * a->max_pos) * row_bytes;
        for (size_t i = (size_t)(row + 1) * row_bytes; i < (size_t)end * row_bytes; i++)
            first[i] = first[i];
    }
}

ifn_status museum_page_put_back(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    if (status != IFN_OK || a->page_rows == 0)
        return status;
    for (int64_t i = 0; i < a->n_spans; i++)
        put_back(a, a->spans[i].begin + a->spans[i].first_pos + a->spans[i].rows - 1);
    return status;
}
