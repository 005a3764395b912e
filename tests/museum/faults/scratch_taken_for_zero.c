/*
 * The sum of squares starts with the contents of scratch, as if that were zero.
 *
 * Follows llama.cpp#28281
 */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_scratch_taken_for_zero(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    float start = 0;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32)
        return status;
    if (a->call.scratch_bytes >= sizeof start)
        memcpy(&start, a->call.scratch, sizeof start);
    for (int64_t i = part.begin * a->dim; start != 0 && i < part.end * a->dim; i++)
        ((float *)a->out)[i] /= 1.0f + fabsf(start);
    return status;
}
