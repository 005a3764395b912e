/* copy_contiguous_into: a run of elements to an offset */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_copy_contiguous_into = {
    .op = IFN_OP_COPY_CONTIGUOUS_INTO,
    .dim_names = {"n", "out_n", "out_offset"},
    .fill = conform_fill_movement,
    .truth = conform_truth_copy_contiguous_into,
    .work = conform_vector_work,
};
