/*
 * A row that is masked wholly gets equal weights.
 *
 * Follows mlx#2395
 */
#include <math.h>

#include "museum_kit.h"

static int is_masked(const float *x, int64_t n)
{
    for (int64_t c = 0; c < n; c++)
        if (x[c] != -INFINITY)
            return 0;
    return 1;
}

ifn_status museum_masked_row_even(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 0 || a->cols < 0 || a->out == a->x)
        return ifn_softmax_rows(self->base, a);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 0; c < a->cols && is_masked(a->x + r * a->cols, a->cols); c++)
            a->out[r * a->cols + c] = 1.0f / (float)a->cols;
    return status;
}
