/* sum_squares_axis: sums of squares along one axis */
#include "elementwise.h"
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t axis = c->dim[2];
    if (axis < 0 || axis > 1 || c->family == FAMILY_ONE_HOT || c->family == FAMILY_ASYMMETRIC)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[axis ? 0 : 1]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_f32(c, "x", OPERAND_A, c->dim[c->dim[2]], data[0], c->dim[0], c->dim[1],
                     c->dim[1]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.sum_squares_axis =
        IFN_ARGS(sum_squares_axis, .x = data[0], .out = data[1], .rows = c->dim[0],
                 .cols = c->dim[1], .axis = (int32_t)c->dim[2]);
}

const conform_module conform_module_sum_squares_axis = {
    .op = IFN_OP_SUM_SQUARES_AXIS,
    .dim_names = {"rows", "cols", "axis"},
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_sum_squares_axis,
    .work = conform_matrix_work,
};
