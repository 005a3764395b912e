/* softmax_rows with a running maximum over tiles. */
#include <math.h>

#include "museum_kit.h"

static float most_of(const float *x, int64_t n)
{
    float most = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

/* The ratio of the wrong sum, which is not rescaled where the maximum rises by `least` or less, to the right sum. */
static double excess(const float *x, int64_t n, int64_t tile, double least)
{
    double most = -INFINITY, sum = 0, right = 0;
    for (int64_t at = 0; at < n; at += tile) {
        const int64_t length = n - at < tile ? n - at : tile;
        const double of_tile = (double)most_of(x + at, length), rise = of_tile - most;
        right *= rise > 0 ? exp(-rise) : 1;
        sum *= rise > least ? exp(-rise) : 1;
        most = rise > 0 ? of_tile : most;
        for (int64_t i = at; i < at + length; i++) {
            right += exp((double)x[i] - most);
            sum += exp((double)x[i] - most);
        }
    }
    return sum / right;
}

ifn_status museum_softmax_rises(ifn_backend *base, const ifn_softmax_rows_args *a, int64_t tile,
                                double least)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (!a->x || !a->out || a->rows < 1 || a->cols < 1)
        return ifn_softmax_rows(base, a);
    for (int64_t r = part.begin; r < part.end; r++) {
        ifn_softmax_rows_args one = *a;
        one.part_begin = r;
        one.part_end = r + 1;
        float *const out = a->out + r * a->cols;
        const double factor = excess(a->x + r * a->cols, a->cols, tile, least);
        const ifn_status status = ifn_softmax_rows(base, &one);
        if (status != IFN_OK)
            return status;
        for (int64_t i = 0; factor > 1 && i < a->cols; i++)
            out[i] = (float)((double)out[i] / factor);
    }
    return IFN_OK;
}
