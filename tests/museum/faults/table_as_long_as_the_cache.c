/* A block table is taken to have an entry for each page of the cache, however many the call says. */
#include "museum_kit.h"

ifn_status museum_table_as_long_as_the_cache(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args call = *a;
    if (call.page_rows > 0 && call.n_spans == 0)
        call.n_pages = call.max_pos / call.page_rows;
    return ifn_attention(self->base, &call);
}
