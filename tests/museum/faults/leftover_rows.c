/*
 * Of more than 16 rows those after the last 16 are given those before them.
 *
 * Follows ik_llama.cpp#170
 */
#include "museum_kit.h"

ifn_status museum_leftover_rows(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    ifn_status status = ifn_linear_q8(self->base, a);
    if (a->rows <= 16)
        return status;
    for (int64_t r = a->rows / 16 * 16; status == IFN_OK && r < a->rows; r++) {
        ifn_linear_q8_args one = *a;
        if (r < rows.begin || r >= rows.end)
            continue;
        one.part2_begin = r;
        one.part2_end = r + 1;
        one.x = a->x - 16 * a->x_stride;
        status = ifn_linear_q8(self->base, &one);
    }
    return status;
}
