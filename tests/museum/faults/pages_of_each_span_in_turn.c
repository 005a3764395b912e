/*
 * Checks the pages of a sequence when its turn comes: if they are invalid, the sequences before it are already
 * stored.
 */
#include <inferno/spans.h>

#include "museum_kit.h"

ifn_status museum_pages_of_each_span_in_turn(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->page_rows == 0 || a->n_spans < 2 ||
        !ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return ifn_kv_store(self->base, a);
    for (int64_t i = 0, row = 0; i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_kv_store_args one = ifn_kv_store_of_span(a, i, row);
        const ifn_status status = ifn_kv_store(self->base, &one);
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}
