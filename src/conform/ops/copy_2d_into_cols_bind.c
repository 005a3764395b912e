/* copy_2d_into_cols: a matrix into a column window of a wider one */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_copy_2d_into_cols = {
    .op = IFN_OP_COPY_2D_INTO_COLS,
    .dim_names = {"rows", "cols", "out_cols", "col_begin"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_2d_into_cols,
    .work = conform_matrix_work,
};
