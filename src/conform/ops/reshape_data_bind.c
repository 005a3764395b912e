/* reshape_data: the same elements under another shape */
#include "elementwise.h"
#include "module.h"
#include "movement.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.reshape_data =
        IFN_ARGS(reshape_data, .x = data[0], .out = data[1], .rows = c->dim[0], .cols = c->dim[1],
                 .out_rows = c->dim[1], .out_cols = c->dim[0]);
}

const conform_module conform_module_reshape_data = {
    .op = IFN_OP_RESHAPE_DATA,
    .dim_names = {"rows", "cols"},
    .aliases = {"out=x"},
    .layout = conform_turned_layout,
    .fill = conform_fill_movement,
    .bind = bind,
    .truth = conform_truth_reshape_data,
    .work = conform_matrix_work,
};
