/* fill_strict_upper_tri: value where column > row + offset */
#include "elementwise.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_INOUT, c->dim[0], c->dim[1]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    return IFN_OK;
}

const conform_module conform_module_fill_strict_upper_tri = {
    .op = IFN_OP_FILL_STRICT_UPPER_TRI,
    .dim_names = {"rows", "cols", "offset"},
    .layout = layout,
    .fill = conform_fill_movement,
    .truth = conform_truth_fill_strict_upper_tri,
    .work = conform_matrix_work,
};
