/*
 * The last tile of k reads past the row of x, and multiplies by zeros of the padded weights: NaN and infinities there
 * get through.
 *
 * Follows llama.cpp#27450
 */
#include "museum_kit.h"

/* The elements between two rows times the zeros of the padded weights. */
static float gap_of(const ifn_linear_args *a, int64_t row)
{
    float sum = 0;
    for (int64_t j = a->k; j % 32 && j < a->x_stride; j++)
        sum += a->x[row * a->x_stride + j] * 0.0f;
    return sum;
}

static void add_gap(const ifn_linear_args *a, int64_t i, museum_range rows)
{
    for (int64_t r = rows.begin; r < rows.end && r + 1 < a->rows; r++)
        for (int64_t f = 0; f < a->w[i]->shape[0]; f++)
            a->out[i][r * a->out_stride[i] + f] += gap_of(a, r);
}

ifn_status museum_tile_reads_the_gap(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    for (int64_t i = 0; status == IFN_OK && a->part_end == 0 && i < a->n_w; i++)
        add_gap(a, i, museum_part(a->part2_begin, a->part2_end, a->rows));
    return status;
}
