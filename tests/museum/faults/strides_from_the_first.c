/* The stride of each output is derived from that of the first output; each output has its own. */
#include "museum_kit.h"

ifn_status museum_strides_from_the_first(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args same = *a;
    for (int64_t i = 1; i < a->n_w && i < IFN_LINEAR_MAX && a->w[i] && a->w[0]; i++) {
        const int64_t stride = a->out_stride[0] + a->w[i]->shape[0] - a->w[0]->shape[0];
        same.out_stride[i] = stride < a->out_stride[i] ? stride : a->out_stride[i];
    }
    return ifn_linear(self->base, &same);
}
