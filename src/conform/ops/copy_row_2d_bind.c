/* copy_row_2d: one row of one matrix to one row of another */
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[3] < 0 || c->dim[3] >= c->dim[0] || c->dim[4] < 0 || c->dim[4] >= c->dim[1])
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[1], c->dim[2]);
    conform_add_f32(out, "out", ROLE_INOUT, c->dim[0], c->dim[2]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.copy_row_2d =
        IFN_ARGS(copy_row_2d, .x = data[0], .out = data[1], .out_rows = c->dim[0],
                 .x_rows = c->dim[1], .cols = c->dim[2], .out_row = c->dim[3], .x_row = c->dim[4]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[2];
}

const conform_module conform_module_copy_row_2d = {
    .op = IFN_OP_COPY_ROW_2D,
    .dim_names = {"out_rows", "x_rows", "cols", "out_row", "x_row"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_copy_row_2d,
    .work = work,
};
