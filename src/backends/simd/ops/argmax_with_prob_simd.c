/* argmax_with_prob: the maximum, then the first element equal to it. Reads 4 to 8 bytes an element.
 */
#include <string.h>

#include "row_sums.h"

/* The first i with x[i] == value; n_all if there is none. */
static int64_t find(const float *x, int64_t n_all, float value)
{
    int64_t i = 0;
    while (i + VL <= n_all && !vm_any(vf_equal(vf_load(x + i), vf_set(value))))
        i += VL;
    while (i < n_all && x[i] != value)
        i++;
    return i;
}

ifn_status IFN_KERNEL(argmax_with_prob)(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    (void)self;
    if (a->n < 1 || a->n > INT32_MAX) /* the index is 32 bits wide */
        return IFN_ERR_SHAPE;
    const int64_t found = find(a->x, a->n, row_max(a->x, a->n));
    const int64_t best = found < a->n ? found : 0; /* nothing but NaN */
    *a->index = (int32_t)best;
    memcpy(a->value, a->x + best, sizeof *a->value);
    return IFN_OK;
}
