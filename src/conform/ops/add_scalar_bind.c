/* add_scalar: out = x + value */
#include "elementwise.h"

const conform_module conform_module_add_scalar = {
    .op = IFN_OP_ADD_SCALAR,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_value_layout,
    .fill = conform_value_fill,
    .truth = conform_truth_add_scalar,
    .work = conform_vector_work,
};
