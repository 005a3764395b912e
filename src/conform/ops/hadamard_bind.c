/* hadamard: out = x * y */
#include "elementwise.h"

const conform_module conform_module_hadamard = {
    .op = IFN_OP_HADAMARD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .fill = conform_pair_fill,
    .truth = conform_truth_hadamard,
    .work = conform_vector_work,
};
