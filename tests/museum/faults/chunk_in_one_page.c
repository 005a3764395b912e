/*
 * The page is looked up for the first row of a chunk only: rows past the end of that page are stored at its
 * beginning.
 */
#include <stdlib.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_chunk_in_one_page(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args changed = *a;
    const int64_t first = a->page_rows > 0 ? a->first_pos / a->page_rows : 0;
    if (a->page_rows <= 0 || a->n_pages <= 0 || !a->pages || first < 0 || first >= a->n_pages ||
        a->head_dim == 0)
        return ifn_kv_store(self->base, a);
    int32_t *const table = malloc((size_t)a->n_pages * sizeof *table);
    if (!table)
        return IFN_ERR_NOMEM;
    memcpy(table, a->pages, (size_t)a->n_pages * sizeof *table);
    for (int64_t i = first + 1; i < a->n_pages; i++)
        if (a->pages[i] >= 0 && a->pages[i] < a->max_pos / a->page_rows)
            table[i] = table[first];
    changed.pages = table;
    const ifn_status status = ifn_kv_store(self->base, &changed);
    free(table);
    return status;
}
