/*
 * Rows of more than 3000 elements are searched in pieces of 1000; a piece that begins with two NaN is taken for all
 * NaN.
 */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_piece_that_begins_with_nan(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    enum { PIECE = 1000, LEAST = 3000 };
    int64_t best = -1;
    if (a->n <= LEAST)
        return ifn_argmax_with_prob(self->base, a);
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t first = i / PIECE * PIECE;
        if (first + 1 < a->n && isnan(a->x[first]) && isnan(a->x[first + 1]))
            continue;
        if (!isnan(a->x[i]) && (best < 0 || a->x[i] > a->x[best]))
            best = i;
    }
    *a->index = (int32_t)(best < 0 ? 0 : best);
    memcpy(a->value, a->x + *a->index, sizeof *a->value);
    return IFN_OK;
}
