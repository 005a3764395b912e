/* concat_dim0: one matrix under the other */
#include "movement.h"

static int64_t work(const conform_case *c)
{
    return (c->dim[0] + c->dim[1]) * c->dim[2];
}

const conform_module conform_module_concat_dim0 = {
    .op = IFN_OP_CONCAT_DIM0,
    .dim_names = {"a_rows", "b_rows", "cols"},
    .fill = conform_fill_movement,
    .truth = conform_truth_concat_dim0,
    .work = work,
};
