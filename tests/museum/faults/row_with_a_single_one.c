/*
 * The result for a row of zeros with a single 1 is a column of the weight: NaN from infinite weights times zero is
 * lost.
 */
#include "museum_kit.h"

/* The place of the only 1 among zeros, or -1. */
static int64_t single_one(const float *x, int64_t k)
{
    int64_t at = -1;
    for (int64_t j = 0; j < k; j++) {
        if (x[j] == 0)
            continue;
        if (x[j] != 1 || at >= 0)
            return -1;
        at = j;
    }
    return at;
}

ifn_status museum_row_with_a_single_one(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    if (status != IFN_OK || a->n_w != 1 || a->rows != 1 || a->part_end || a->part2_end ||
        a->packed[0] || a->w[0]->dtype != IFN_DTYPE_F32)
        return status;
    const int64_t at = single_one(a->x, a->k);
    const float *const w = a->w[0]->data;
    for (int64_t f = 0; at >= 0 && f < a->w[0]->shape[0]; f++)
        a->out[0][f] = w[f * a->k + at] + (a->bias[0] ? a->bias[0][f] : 0.0f);
    return status;
}
