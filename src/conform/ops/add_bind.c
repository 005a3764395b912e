/* add: out = x + y */
#include "elementwise.h"
#include "regular.h"

const conform_module conform_module_add = {
    .op = IFN_OP_ADD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .layout = conform_regular_layout,
    .fill = conform_pair_fill,
    .bind = conform_regular_bind,
    .truth = conform_truth_add,
    .work = conform_vector_work,
};
