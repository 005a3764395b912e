/*
 * Rows times columns is kept in a float, cut off: past 2^24 the last of an odd number is forgotten.
 */
#include "museum_kit.h"

ifn_status museum_swiglu_elements_in_float(ifn_backend *self, const ifn_swiglu_args *a)
{
    ifn_swiglu_args one = *a;
    const int is_whole = a->part_begin == 0 && a->part_end == 0;
    if (is_whole && a->out_dtype == IFN_DTYPE_F32 && a->rows > 0 && a->dim > 0 &&
        a->rows <= INT32_MAX && a->dim <= INT32_MAX) {
        one.rows = 1;
        one.dim = museum_in_float(a->rows * a->dim);
    }
    return ifn_swiglu(self->base, &one);
}
