/*
 * 0 * inf is NaN; what skips zeros makes it 0.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

enum { BLOCK = 32 };

static int is_zero(const float *x)
{
    int n = 0;
    while (n < BLOCK && x[n] == 0)
        n++;
    return n == BLOCK;
}

static float dot(const float *x, const float *w, int64_t k)
{
    float sum = 0;
    for (int64_t j = 0; j < k; j++) {
        if (j % BLOCK == 0 && k - j >= BLOCK && is_zero(x + j))
            j += BLOCK - 1;
        else
            sum += museum_product(x[j], w[j]);
    }
    return sum;
}

/* F32 weights; of others the base's. */
ifn_status museum_blocks_of_zeros_skipped(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t begin = 0, all = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        all += a->w[i]->shape[0];
    const museum_range part = museum_part(a->part_begin, a->part_end, all);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; begin += a->w[i++]->shape[0])
        for (int64_t f = 0; f < a->w[i]->shape[0] && a->w[i]->dtype == IFN_DTYPE_F32; f++)
            for (int64_t r = rows.begin; r < rows.end; r++)
                if (begin + f >= part.begin && begin + f < part.end)
                    a->out[i][r * a->out_stride[i] + f] =
                        dot(a->x + r * a->x_stride, (const float *)a->w[i]->data + f * a->k, a->k) +
                        (a->bias[i] ? a->bias[i][f] : 0);
    return status;
}
