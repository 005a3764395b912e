/* copy_out: bytes of a buffer of the backend into host memory */
#include "elementwise.h"
#include "movement.h"

const conform_module conform_module_copy_out = {
    .op = IFN_OP_COPY_OUT,
    .dim_names = {"bytes"},
    .fill = conform_fill_bytes,
    .truth = conform_truth_copy_out,
    .work = conform_vector_work,
};
