/*
 * The gap holds what is no number: where the fault is not outside the tensor it is a NaN.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_stride_ignored(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args dense = *a;
    dense.x_stride = a->x_stride < a->k ? a->x_stride : a->k;
    return ifn_linear(self->base, &dense);
}
