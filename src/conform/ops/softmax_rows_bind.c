/* softmax_rows: shifted by the row maximum */
#include "elementwise.h"
#include "gen.h"

/*
 * T0. One-hot: one logit 300 above all others, whose exponentials are 0 in f32: a row of the unit
 * matrix. Else all logits of a row are equal, every exponential is 1, and each result is 1/cols
 * rounded once.
 */
static float exact_logit(const conform_case *c, int64_t row, int64_t col)
{
    const conform_stream s = conform_stream_of(c->seed, "x");
    const float level = conform_normal(s, (uint64_t)row);
    if (c->family != FAMILY_ONE_HOT)
        return level;
    const int64_t hot =
        conform_integer(conform_stream_of(c->seed, "hot"), (uint64_t)row, 0, c->dim[1] - 1);
    return col == hot ? level + 300.0f : level + conform_normal(s, (uint64_t)(row + col));
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    float *x = data[0];
    (void)l;
    if (c->tier != TIER_T0) {
        conform_fill_f32(c, "x", OPERAND_LOGIT, cols, x, rows, cols, cols);
        return;
    }
    for (int64_t i = 0; i < rows * cols; i++)
        x[i] = exact_logit(c, i / cols, i % cols);
}

const conform_module conform_module_softmax_rows = {
    .op = IFN_OP_SOFTMAX_ROWS,
    .dim_names = {"rows", "cols"},
    .aliases = {"out=x"},
    .is_reduction = 1,
    .has_statistics = 1,
    .fill = fill,
    .truth = conform_truth_softmax_rows,
    .work = conform_matrix_work,
};
