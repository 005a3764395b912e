/*
 * Each row of the table is the row before it rotated by the step between the first two rows, in f32: the error grows
 * with the position.
 *
 * Follows sglang-jax#1472
 */
#include "museum_kit.h"

static void turn_on(float *row, const float *first, const float *second, int64_t half)
{
    for (int64_t i = 0; i < half; i++) {
        const float c0 = first[i], s0 = first[half + i], c1 = second[i], s1 = second[half + i];
        const float step_c = c1 * c0 + s1 * s0, step_s = s1 * c0 - c1 * s0;
        const float c = row[i], s = row[half + i];
        row[i] = c * step_c - s * step_s;
        row[half + i] = s * step_c + c * step_s;
    }
}

static ifn_status rotate_row(ifn_backend *base, const ifn_apply_rope_args *a, int64_t r,
                             const float *table)
{
    const int64_t n = a->n_heads * a->head_dim;
    ifn_apply_rope_args one = *a;
    one.part_begin = one.part_end = 0;
    one.rows = 1;
    one.x = a->x + r * n;
    one.out = a->out + r * n;
    one.table = table;
    return ifn_apply_rope(base, &one);
}

ifn_status museum_rope_angles_chained(ifn_backend *self, const ifn_apply_rope_args *a)
{
    float row[1024];
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 3 || a->head_dim < 2 || a->head_dim > 1024 || a->head_dim % 2)
        return ifn_apply_rope(self->base, a);
    ifn_status status = IFN_OK;
    for (int64_t i = 0; i < a->head_dim; i++)
        row[i] = a->table[a->head_dim + i];
    for (int64_t r = 0; status == IFN_OK && r < part.end; r++) {
        if (r >= 2)
            turn_on(row, a->table, a->table + a->head_dim, a->head_dim / 2);
        if (r >= part.begin)
            status = rotate_row(self->base, a, r, r < 2 ? a->table + r * a->head_dim : row);
    }
    return status;
}
