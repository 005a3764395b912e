/* linear and linear_q8 with single output elements changed. */
#include "museum_kit.h"

typedef struct span {
    int64_t first; /* feature of this weight among all */
    museum_range features, rows;
} span;

/* The features of one weight, [first, first + n) of all, that are in the part, counted from the weight's first. */
static span span_of(const museum_range *part, const museum_range *rows, int64_t first, int64_t n)
{
    span s = {.first = first, .rows = *rows};
    s.features.begin = part->begin > first ? part->begin - first : 0;
    s.features.end = part->end < first + n ? part->end - first : n;
    return s;
}

static float sum_backward(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    const float *const x = a->x + c->row * a->x_stride;
    const float *const w = (const float *)a->w[c->weight]->data + c->feature * a->k;
    const float *const bias = a->bias[c->weight];
    float sum = 0;
    (void)of_base;
    for (int64_t l = a->k; l-- > 0;)
        sum += museum_product(x[l], w[l]);
    return bias ? sum + bias[c->feature] : sum;
}

typedef int (*cell_choice)(const ifn_linear_args *a, const museum_cell *c);

/* Replaces the results of one F32 weight that are in the part by `element`'s. */
static void change_cells(const ifn_linear_args *a, int64_t weight, const span *s,
                         cell_choice is_wrong, museum_element element)
{
    museum_cell c = {.weight = weight};
    for (c.feature = s->features.begin; c.feature < s->features.end; c.feature++)
        for (c.row = s->rows.begin; c.row < s->rows.end; c.row++) {
            float *const out = a->out[weight] + c.row * a->out_stride[weight] + c.feature;
            if (!is_wrong || is_wrong(a, &c))
                *out = element(a, &c, *out);
        }
}

static ifn_status linear_changed(ifn_backend *base, const ifn_linear_args *a, cell_choice is_wrong,
                                 museum_element element)
{
    const ifn_status status = ifn_linear(base, a);
    int64_t n = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const museum_range part = museum_part(a->part_begin, a->part_end, n);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; first += a->w[i++]->shape[0]) {
        const span s = span_of(&part, &rows, first, a->w[i]->shape[0]);
        if (a->w[i]->dtype == IFN_DTYPE_F32)
            change_cells(a, i, &s, is_wrong, element);
    }
    return status;
}

ifn_status museum_linear_each(ifn_backend *base, const ifn_linear_args *a, museum_element element)
{
    return linear_changed(base, a, NULL, element);
}

ifn_status museum_linear_backward(ifn_backend *base, const ifn_linear_args *a,
                                  int (*is_wrong)(const ifn_linear_args *a, const museum_cell *c))
{
    return linear_changed(base, a, is_wrong, sum_backward);
}

static float lost_in(const ifn_linear_q8_args *a, const museum_cell *c,
                     void (*lose)(const ifn_block_q8_0 *w, ifn_block_q8_32f *x, float *lost))
{
    const int64_t blocks = a->k / 32;
    const ifn_block_q8_0 *const w =
        (const ifn_block_q8_0 *)a->w[c->weight]->data + c->feature * blocks;
    float lost = 0;
    for (int64_t b = 0; b < blocks; b++) {
        ifn_block_q8_32f x = a->x[c->row * a->x_stride + b];
        lose(&w[b], &x, &lost);
    }
    return lost;
}

ifn_status museum_linear_q8_lost(ifn_backend *base, const ifn_linear_q8_args *a,
                                 void (*lose)(const ifn_block_q8_0 *w, ifn_block_q8_32f *x,
                                              float *lost))
{
    const ifn_status status = ifn_linear_q8(base, a);
    if (status != IFN_OK)
        return status;
    const museum_range part = museum_part(a->part_begin, a->part_end, museum_features(a));
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; first += a->w[i++]->shape[0]) {
        const span s = span_of(&part, &rows, first, a->w[i]->shape[0]);
        museum_cell c = {.weight = i};
        if (a->w[i]->dtype != IFN_DTYPE_Q8_0)
            continue;
        for (c.feature = s.features.begin; c.feature < s.features.end; c.feature++)
            for (c.row = s.rows.begin; c.row < s.rows.end; c.row++) {
                const float lost = lost_in(a, &c, lose);
                if (lost != 0)
                    a->out[i][c.row * a->out_stride[i] + c.feature] -= lost;
            }
    }
    return status;
}
