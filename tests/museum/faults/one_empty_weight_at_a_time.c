/* Steps over one weight without features, but not over two in a row: the weights after these are not written. */
#include "museum_kit.h"

ifn_status museum_one_empty_weight_at_a_time(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args some = *a;
    int64_t features = 0;
    for (int64_t i = 0; i + 1 < a->n_w && i + 1 < IFN_LINEAR_MAX; i++) {
        if (!a->w[i] || !a->w[i + 1])
            break;
        if (i > 0 && a->w[i]->shape[0] == 0 && a->w[i + 1]->shape[0] == 0 && a->part_end == 0)
            some.n_w = i;
        features += a->w[i]->shape[0];
    }
    return features > 0 ? ifn_linear(self->base, &some) : ifn_linear(self->base, a);
}
