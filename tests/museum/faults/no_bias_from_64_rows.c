/*
 * The path for 64 rows and more forgets the bias.
 *
 * Follows toshllm#31
 */
#include "museum_kit.h"

ifn_status museum_no_bias_from_64_rows(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args plain = *a;
    for (int i = 0; i < IFN_LINEAR_MAX && a->rows >= 64; i++)
        plain.bias[i] = NULL;
    return ifn_linear(self->base, &plain);
}
