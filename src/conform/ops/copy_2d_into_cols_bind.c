/* copy_2d_into_cols: a matrix into a column window of a wider one */
#include "elementwise.h"
#include "movement.h"
#include "regular.h"

const conform_module conform_module_copy_2d_into_cols = {
    .op = IFN_OP_COPY_2D_INTO_COLS,
    .dim_names = {"rows", "cols", "out_cols", "col_begin"},
    .layout = conform_regular_layout,
    .fill = conform_fill_movement,
    .bind = conform_regular_bind,
    .truth = conform_truth_copy_2d_into_cols,
    .work = conform_matrix_work,
};
