/* add: out = x + y */
#include "elementwise.h"
#include "module.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.add = IFN_ARGS(add, .x = data[0], .y = data[1], .out = data[2], .n = c->dim[0]);
}

const conform_module conform_module_add = {
    .op = IFN_OP_ADD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .layout = conform_pair_layout,
    .fill = conform_pair_fill,
    .bind = bind,
    .truth = conform_truth_add,
    .work = conform_vector_work,
};
