/* scale: out = x * value */
#include "elementwise.h"
#include "module.h"

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.scale = IFN_ARGS(scale, .x = data[0], .value = *(const float *)data[1],
                                .out = data[2], .n = c->dim[0]);
}

const conform_module conform_module_scale = {
    .op = IFN_OP_SCALE,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_value_layout,
    .fill = conform_value_fill,
    .bind = bind,
    .truth = conform_truth_scale,
    .work = conform_vector_work,
};
