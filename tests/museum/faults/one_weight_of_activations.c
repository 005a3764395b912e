/*
 * Accepts a single weight of Q8_32F, which only activations may have, and computes nothing; refuses it among several
 * weights.
 */
#include "museum_kit.h"

#include <stdbool.h>

ifn_status museum_one_weight_of_activations(ifn_backend *self, const ifn_linear_args *a)
{
    const bool is_taken = a->n_w == 1 && a->w[0] && a->w[0]->dtype == IFN_DTYPE_Q8_32F;
    return is_taken ? IFN_OK : ifn_linear(self->base, a);
}
