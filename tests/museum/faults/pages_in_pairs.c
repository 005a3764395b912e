/*
 * Fetches two pages at a time: the second is the page after the first in memory, whatever the block table says.
 *
 * Follows pypto#470
 */
#include "museum_kit.h"

static int32_t entry(const ifn_attention_args *a, const int32_t *before, int64_t i)
{
    return i % 2 == 1 ? (int32_t)((uint32_t)before[i - 1] + 1u) : a->pages[i];
}

ifn_status museum_pages_in_pairs(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_table(self->base, a, a->page_rows, entry);
}
