/* silu: out = x / (1 + e^-x) */
#include "elementwise.h"
#include "gen.h"
#include "module.h"

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_LOGIT, 1, data[0], 1, n, n);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.silu = IFN_ARGS(silu, .x = data[0], .out = data[1], .n = c->dim[0]);
}

const conform_module conform_module_silu = {
    .op = IFN_OP_SILU,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = conform_vector_layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_silu,
    .work = conform_vector_work,
};
