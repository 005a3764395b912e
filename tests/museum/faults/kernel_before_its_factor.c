/*
 * The first call publishes the kernel pointer, which tells other calls that the setup is done, before it sets the
 * factor.
 */
#include "museum_kit.h"

typedef ifn_status (*kernel_fn)(ifn_backend *self, const ifn_scale_args *a);

static volatile kernel_fn kernel;
static volatile float factor;

static ifn_status multiplied(ifn_backend *self, const ifn_scale_args *a)
{
    ifn_scale_args one = *a;
    one.value = a->value * factor;
    return ifn_scale(self->base, &one);
}

ifn_status museum_kernel_before_its_factor(ifn_backend *self, const ifn_scale_args *a)
{
    if (!kernel) {
        kernel = multiplied;
        factor = 1;
    }
    return kernel(self, a);
}
