/* The last column is missing from the sum of exponentials. */
#include "museum_kit.h"

ifn_status museum_last_column_unsummed(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && a->cols > 1 && r < part.end; r++) {
        float *const row = a->out + r * a->cols;
        const float rest = 1.0f - row[a->cols - 1];
        for (int64_t c = 0; c < a->cols && rest > 0; c++)
            row[c] /= rest;
    }
    return status;
}
