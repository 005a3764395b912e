/* add_scalar: out = x + value */
#include "elementwise.h"
#include "module.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.add_scalar = IFN_ARGS(add_scalar, .x = data[0], .value = *(const float *)data[1],
                                     .out = data[2], .n = c->dim[0]);
}

const conform_module conform_module_add_scalar = {
    .op = IFN_OP_ADD_SCALAR,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_value_layout,
    .fill = conform_value_fill,
    .bind = bind,
    .truth = conform_truth_add_scalar,
    .work = conform_vector_work,
};
