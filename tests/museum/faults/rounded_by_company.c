/*
 * Two or more sequences in a call take another split of the keys than one alone: the same terms,
 * added in another order.
 *
 * Follows vllm#51902
 */
#include "museum_kit.h"

static int is_batch(const ifn_attention_args *a, int64_t head)
{
    (void)head;
    return a->n_spans > 1;
}

ifn_status museum_rounded_by_company(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_nudged(self->base, a, is_batch);
}
