/* scale: out = x * value */
#include "elementwise.h"

const conform_module conform_module_scale = {
    .op = IFN_OP_SCALE,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_value_layout,
    .fill = conform_value_fill,
    .truth = conform_truth_scale,
    .work = conform_vector_work,
};
