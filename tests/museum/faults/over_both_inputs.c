/*
 * Computes in two passes over the output: if the output is both inputs, the second pass reads the results of the
 * first.
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_over_both_inputs(ifn_backend *self, const ifn_swiglu_args *a)
{
    if (a->out_dtype != IFN_DTYPE_F32 || a->out != (const void *)a->gate ||
        a->out != (const void *)a->up || a->rows < 1 || a->dim < 1)
        return ifn_swiglu(self->base, a);
    float *const out = a->out;
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t i = rows.begin * a->dim; i < rows.end * a->dim; i++) {
        out[i] /= 1 + expf(-out[i]);
        out[i] *= out[i];
    }
    return IFN_OK;
}
