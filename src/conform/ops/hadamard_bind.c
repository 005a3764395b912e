/* hadamard: out = x * y */
#include "elementwise.h"
#include "module.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.hadamard =
        IFN_ARGS(hadamard, .x = data[0], .y = data[1], .out = data[2], .n = c->dim[0]);
}

const conform_module conform_module_hadamard = {
    .op = IFN_OP_HADAMARD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .layout = conform_pair_layout,
    .fill = conform_pair_fill,
    .bind = bind,
    .truth = conform_truth_hadamard,
    .work = conform_vector_work,
};
