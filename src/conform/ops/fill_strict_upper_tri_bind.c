/* fill_strict_upper_tri: value where column > row + offset */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_INOUT, c->dim[0], c->dim[1]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.fill_strict_upper_tri =
        IFN_ARGS(fill_strict_upper_tri, .x = data[0], .value = *(const float *)data[1],
                 .rows = c->dim[0], .cols = c->dim[1], .offset = c->dim[2]);
}

const conform_module conform_module_fill_strict_upper_tri = {
    .op = IFN_OP_FILL_STRICT_UPPER_TRI,
    .dim_names = {"rows", "cols", "offset"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_fill_strict_upper_tri,
    .work = conform_matrix_work,
};
