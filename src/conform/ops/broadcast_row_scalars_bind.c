/* broadcast_row_scalars: out[r,c] = x[r] */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_broadcast_row_scalars = {
    .op = IFN_OP_BROADCAST_ROW_SCALARS,
    .dim_names = {"rows", "dim"},
    .fill = conform_fill_movement,
    .truth = conform_truth_broadcast_row_scalars,
    .work = conform_matrix_work,
};
