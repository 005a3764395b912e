/* A part of the features reads its biases from the first one on: the bias is indexed from the beginning of the part. */
#include "museum_kit.h"

ifn_status museum_bias_from_the_part(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    if (status != IFN_OK || a->n_w != 1 || a->part_end == 0 || !a->bias[0])
        return status;
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t f = a->part_begin; f < a->part_end; f++)
            a->out[0][r * a->out_stride[0] + f] += a->bias[0][f - a->part_begin] - a->bias[0][f];
    return status;
}
