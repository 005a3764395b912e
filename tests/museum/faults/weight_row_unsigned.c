/*
 * Where a row of the weight begins is an unsigned int of bytes: a head of 262 144 features and 8192
 * columns in F16 is as long.
 */
#include "museum_kit.h"

static ifn_status multiply_wrong(ifn_backend *base, const ifn_linear_args *a, int64_t feature,
                                 int64_t lost)
{
    ifn_tensor w = *a->w[0];
    ifn_linear_args one = *a;
    w.data = (const unsigned char *)w.data + lost;
    one.w[0] = &w;
    one.part_begin = feature;
    one.part_end = feature + 1;
    return ifn_linear(base, &one);
}

ifn_status museum_weight_row_unsigned(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_status status = ifn_linear(self->base, a);
    if (status != IFN_OK || a->n_w != 1 || a->packed[0])
        return status;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->w[0]->shape[0]);
    const museum_row row = museum_row_of(a->w[0]->dtype, a->k);
    for (int64_t f = part.begin; status == IFN_OK && f < part.end; f++) {
        const int64_t lost = museum_lost(MUSEUM_UNSIGNED_BYTES, &row, f);
        if (lost)
            status = multiply_wrong(self->base, a, f, lost);
    }
    return status;
}
