/* broadcast_row_scalars: out[r,c] = x[r] */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[0], c->dim[1]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.broadcast_row_scalars = IFN_ARGS(broadcast_row_scalars, .x = data[0], .out = data[1],
                                                .rows = c->dim[0], .dim = c->dim[1]);
}

const conform_module conform_module_broadcast_row_scalars = {
    .op = IFN_OP_BROADCAST_ROW_SCALARS,
    .dim_names = {"rows", "dim"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_broadcast_row_scalars,
    .work = conform_matrix_work,
};
