/* copy_2d_from_cols: a column window out of a wider matrix */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_copy_2d_from_cols = {
    .op = IFN_OP_COPY_2D_FROM_COLS,
    .dim_names = {"rows", "cols", "x_cols", "col_begin"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_2d_from_cols,
    .work = conform_matrix_work,
};
