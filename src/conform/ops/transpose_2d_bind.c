/* transpose_2d: out[c,r] = x[r,c] */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.transpose_2d =
        IFN_ARGS(transpose_2d, .x = data[0], .out = data[1], .rows = c->dim[0], .cols = c->dim[1]);
}

const conform_module conform_module_transpose_2d = {
    .op = IFN_OP_TRANSPOSE_2D,
    .dim_names = {"rows", "cols"},
    .layout = conform_turned_layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_transpose_2d,
    .work = conform_matrix_work,
};
