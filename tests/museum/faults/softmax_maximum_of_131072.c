/* The maximum of a row is that of its first 131072 elements. */
#include <math.h>

#include "museum_kit.h"

enum { SEEN = 131072 };

static int overflows(const float *x, int64_t n)
{
    float most = -INFINITY;
    for (int64_t i = 0; i < SEEN && i < n; i++)
        most = x[i] > most ? x[i] : most;
    for (int64_t i = SEEN; i < n; i++)
        if (x[i] > most + 88)
            return 1;
    return 0;
}

ifn_status museum_softmax_maximum_of_131072(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const ifn_status status = ifn_softmax_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->x == a->out)
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const int is_wrong = overflows(a->x + r * a->cols, a->cols);
        for (int64_t i = 0; is_wrong && i < a->cols; i++)
            a->out[r * a->cols + i] = NAN;
    }
    return status;
}
