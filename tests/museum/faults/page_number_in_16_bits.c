/* The number of a page is kept in 16 bits. */
#include "museum_kit.h"

static int32_t entry(const ifn_attention_args *a, const int32_t *before, int64_t i)
{
    (void)before;
    return (uint16_t)a->pages[i];
}

ifn_status museum_page_number_in_16_bits(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_table(self->base, a, a->page_rows, entry);
}
