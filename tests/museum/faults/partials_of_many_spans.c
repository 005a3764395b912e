/* Each span of a call in the phase PARTIALS or MERGE goes to the same partials, one after the other. */
#include <inferno/spans.h>

#include "museum_kit.h"

ifn_status museum_partials_of_many_spans(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->phase == IFN_ATTENTION_WHOLE || a->n_spans < 2)
        return ifn_attention(self->base, a);
    ifn_status status = IFN_OK;
    for (int64_t i = 0, row = 0; status == IFN_OK && i < a->n_spans; row += a->spans[i++].rows) {
        const ifn_attention_args alone = ifn_attention_of_span(a, i, row);
        status = ifn_attention(self->base, &alone);
    }
    return status;
}
