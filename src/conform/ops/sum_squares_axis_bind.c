/* sum_squares_axis: sums of squares along one axis */
#include "elementwise.h"
#include "gen.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t axis = c->dim[2];
    if (c->family == FAMILY_ONE_HOT || c->family == FAMILY_ASYMMETRIC || axis < 0 || axis > 1)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[!axis]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_f32(c, "x", OPERAND_A, c->dim[c->dim[2]], data[0], c->dim[0], c->dim[1],
                     c->dim[1]);
}

const conform_module conform_module_sum_squares_axis = {
    .op = IFN_OP_SUM_SQUARES_AXIS,
    .dim_names = {"rows", "cols", "axis"},
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .truth = conform_truth_sum_squares_axis,
    .work = conform_matrix_work,
};
