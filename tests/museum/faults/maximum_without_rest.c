/*
 * If there are more than 1024 columns, the maximum is taken over whole vectors of 16: a larger element in the rest
 * makes its exponential overflow.
 */
#include "museum_kit.h"

#include <math.h>

/* What an exponential of f32 bears. */
static const float most = 88;

static int overflows(const float *x, int64_t cols)
{
    float whole = -INFINITY, rest = -INFINITY;
    for (int64_t i = 0; i < cols; i++)
        if (i < cols / 16 * 16)
            whole = fmaxf(whole, x[i]);
        else
            rest = fmaxf(rest, x[i]);
    return cols > 1024 && rest < INFINITY && rest - whole > most;
}

ifn_status museum_maximum_without_rest(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    ifn_softmax_rows_args row = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 1 || a->cols < 1)
        return ifn_softmax_rows(self->base, a);
    row.rows = 1;
    row.part_begin = row.part_end = 0;
    for (int64_t r = part.begin; r < part.end; r++) {
        row.x = a->x + r * a->cols;
        row.out = a->out + r * a->cols;
        const int is_lost = overflows(row.x, a->cols);
        const ifn_status status = ifn_softmax_rows(self->base, &row);
        for (int64_t i = 0; is_lost && i < a->cols; i++)
            row.out[i] = NAN;
        if (status != IFN_OK)
            return status;
    }
    return IFN_OK;
}
