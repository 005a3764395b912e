/*
 * The address of page i is computed for pages of 16 rows, whatever size the cache was allocated in.
 *
 * Follows vllm#27547
 */
#include "museum_kit.h"

static int32_t entry(const ifn_attention_args *a, const int32_t *before, int64_t i)
{
    const int64_t each = a->page_rows / IFN_PAGE_ROWS_LEAST;
    (void)before;
    return (int32_t)(a->pages[i / each] + i % each);
}

ifn_status museum_pages_of_sixteen_apart(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_table(self->base, a, IFN_PAGE_ROWS_LEAST, entry);
}
