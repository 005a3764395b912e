/* add: out = x + y */
#include "elementwise.h"

const conform_module conform_module_add = {
    .op = IFN_OP_ADD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .fill = conform_pair_fill,
    .truth = conform_truth_add,
    .work = conform_vector_work,
};
