/* repeat_row_as_matrix: out[r,c] = x[c] */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[1]);
    conform_add_f32(out, "out", ROLE_OUT, c->dim[0], c->dim[1]);
    return IFN_OK;
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.repeat_row_as_matrix = IFN_ARGS(repeat_row_as_matrix, .x = data[0], .out = data[1],
                                               .rows = c->dim[0], .dim = c->dim[1]);
}

const conform_module conform_module_repeat_row_as_matrix = {
    .op = IFN_OP_REPEAT_ROW_AS_MATRIX,
    .dim_names = {"rows", "dim"},
    .layout = layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_repeat_row_as_matrix,
    .work = conform_matrix_work,
};
