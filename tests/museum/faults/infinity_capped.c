/* An infinite activation counts as the largest finite number. */
#include "museum_kit.h"

#include <float.h>
#include <math.h>

static void cap(float *row, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        if (isinf(row[i]))
            row[i] = copysignf(FLT_MAX, row[i]);
}

ifn_status museum_infinity_capped(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_inputs(self->base, a, cap);
}
