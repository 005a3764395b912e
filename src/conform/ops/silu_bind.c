/* silu: out = x / (1 + e^-x) */
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

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

static int64_t work(const conform_case *c)
{
    return c->dim[0];
}

const conform_module conform_module_silu = {
    .op = IFN_OP_SILU,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_silu,
    .work = work,
};
