/* repeat_row_as_matrix: out[r,c] = x[c] */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_repeat_row_as_matrix = {
    .op = IFN_OP_REPEAT_ROW_AS_MATRIX,
    .dim_names = {"rows", "dim"},
    .fill = conform_fill_movement,
    .truth = conform_truth_repeat_row_as_matrix,
    .work = conform_matrix_work,
};
