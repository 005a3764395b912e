/* sum_squares_axis: sums of squares along one axis */
#include "elementwise.h"
#include "gen.h"
#include "regular.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->family == FAMILY_ONE_HOT || c->family == FAMILY_ASYMMETRIC)
        return IFN_ERR_SHAPE;
    return conform_regular_layout(c, out);
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
    .bind = conform_regular_bind,
    .truth = conform_truth_sum_squares_axis,
    .work = conform_matrix_work,
};
