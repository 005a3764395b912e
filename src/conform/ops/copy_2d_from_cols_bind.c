/* copy_2d_from_cols: a column window out of a wider matrix */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[3] < 0 || c->dim[3] + c->dim[1] > c->dim[2])
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[0], c->dim[2]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[0], c->dim[1]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.copy_2d_from_cols =
        IFN_ARGS(copy_2d_from_cols, .x = data[0], .out = data[1], .rows = c->dim[0],
                 .cols = c->dim[1], .x_cols = c->dim[2], .col_begin = c->dim[3]);
}

const conform_module conform_module_copy_2d_from_cols = {
    .op = IFN_OP_COPY_2D_FROM_COLS,
    .dim_names = {"rows", "cols", "x_cols", "col_begin"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_copy_2d_from_cols,
    .work = conform_matrix_work,
};
