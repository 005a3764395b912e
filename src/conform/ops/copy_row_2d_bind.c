/* copy_row_2d: one row of one matrix to one row of another */
#include "movement.h"

static int64_t work(const conform_case *c)
{
    return c->dim[2];
}

const conform_module conform_module_copy_row_2d = {
    .op = IFN_OP_COPY_ROW_2D,
    .dim_names = {"out_rows", "x_rows", "cols", "out_row", "x_row"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_row_2d,
    .work = work,
};
