/* copy_in: bytes of host memory into a buffer of the backend */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_copy_in = {
    .op = IFN_OP_COPY_IN,
    .dim_names = {"bytes"},
    .fill = conform_fill_bytes,
    .truth = conform_truth_copy_in,
    .work = conform_vector_work,
};
