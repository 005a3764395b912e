/*
 * Whatever the size of a page, page i is looked for where it would begin if all had 16 rows: the size
 * that the kernel counts in is not the one that the cache was handed out in.
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
