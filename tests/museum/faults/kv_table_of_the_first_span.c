/*
 * If every sequence has one row, all rows are stored in the pages at the beginning of the block table, those of the
 * first sequence.
 */
#include <inferno/spans.h>

#include "museum_kit.h"

ifn_status museum_kv_table_of_the_first_span(ifn_backend *self, const ifn_kv_store_args *a)
{
    enum { MOST = 64 };
    ifn_span spans[MOST];
    ifn_kv_store_args first = *a;
    if (a->page_rows == 0 || a->n_spans < 2 || a->n_spans > MOST || !a->spans ||
        !ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return ifn_kv_store(self->base, a);
    for (int64_t i = 0; i < a->n_spans; i++) {
        if (a->spans[i].rows != 1)
            return ifn_kv_store(self->base, a);
        spans[i] = a->spans[i];
        spans[i].begin = 0;
    }
    first.spans = spans;
    return ifn_kv_store(self->base, &first);
}
