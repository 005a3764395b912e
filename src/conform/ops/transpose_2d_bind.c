/* transpose_2d: out[c,r] = x[r,c] */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_transpose_2d = {
    .op = IFN_OP_TRANSPOSE_2D,
    .dim_names = {"rows", "cols"},
    .fill = conform_fill_movement,
    .truth = conform_truth_transpose_2d,
    .work = conform_matrix_work,
};
