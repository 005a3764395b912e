/* Entries of a block table before the rows that are stored may name pages that the cache does not have. */
#include <stdlib.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_pages_before_not_looked_at(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args call = *a;
    if (a->page_rows <= 0 || a->n_spans != 0 || a->n_pages <= 0 || !a->pages)
        return ifn_kv_store(self->base, a);
    const int64_t reach = (a->first_pos + a->rows + a->page_rows - 1) / a->page_rows;
    const int64_t n = reach < a->n_pages ? reach : a->n_pages;
    if (n < 1)
        return ifn_kv_store(self->base, a);
    int32_t *const pages = malloc((size_t)n * sizeof *pages);
    if (!pages)
        return IFN_ERR_NOMEM;
    memcpy(pages, a->pages, (size_t)n * sizeof *pages);
    for (int64_t i = 0; i < n && i < a->first_pos / a->page_rows; i++)
        pages[i] = pages[i] < 0 || pages[i] >= a->max_pos / a->page_rows ? 0 : pages[i];
    call.pages = pages;
    const ifn_status status = ifn_kv_store(self->base, &call);
    free(pages);
    return status;
}
