/* In a step of several sequences, one that is as long as the sequence before it is stored in the place of that. */
#include <inferno/spans.h>

#include "museum_kit.h"

ifn_status museum_slot_of_the_one_before(ifn_backend *self, const ifn_kv_store_args *a)
{
    enum { MOST = 160 };
    ifn_span spans[MOST];
    ifn_kv_store_args moved = *a;
    if (a->page_rows != 0 || a->n_spans < 3 || a->n_spans > MOST || !a->spans ||
        !ifn_spans_fit_cache(a->spans, a->n_spans, a->rows, a->first_pos, a->n_pages, a->page_rows,
                             a->max_pos))
        return ifn_kv_store(self->base, a);
    for (int64_t i = 0; i < a->n_spans; i++) {
        spans[i] = a->spans[i];
        if (i > 0 && a->spans[i].rows == 1 && a->spans[i - 1].rows == 1 &&
            a->spans[i].first_pos == a->spans[i - 1].first_pos)
            spans[i].begin = spans[i - 1].begin;
    }
    moved.spans = spans;
    return ifn_kv_store(self->base, &moved);
}
