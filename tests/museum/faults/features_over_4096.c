/* Features after the 4096th are given those 4096 before them. */
#include "museum_kit.h"

static void repeat_features(const ifn_linear_args *a, int i, museum_range rows)
{
    for (int64_t r = rows.begin; r < rows.end; r++) {
        float *const out = a->out[i] + r * a->out_stride[i];
        for (int64_t f = 4096; f < a->w[i]->shape[0]; f++)
            out[f] = out[f - 4096];
    }
}

ifn_status museum_features_over_4096(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const int is_whole = a->part_begin == 0 && a->part_end == 0;
    for (int i = 0; status == IFN_OK && is_whole && i < (int)a->n_w; i++)
        repeat_features(a, i, museum_part(a->part2_begin, a->part2_end, a->rows));
    return status;
}
