/* Floats of long rows are compared as integers, by which +0 is more than -0. */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_zero_above_zero(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    enum { LEAST = 32768 };
    int32_t most = INT32_MIN;
    if (a->n < LEAST)
        return ifn_argmax_with_prob(self->base, a);
    *a->index = 0;
    for (int64_t i = 0; i < a->n; i++) {
        int32_t bits;
        memcpy(&bits, &a->x[i], sizeof bits);
        bits ^= bits < 0 ? INT32_MAX : 0;
        if (!isnan(a->x[i]) && bits > most) {
            most = bits;
            *a->index = (int32_t)i;
        }
    }
    memcpy(a->value, a->x + *a->index, sizeof *a->value);
    return IFN_OK;
}
