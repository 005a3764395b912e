/* hadamard: out = x * y */
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "y", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], 1, n, n);
    conform_fill_f32(c, "y", OPERAND_PLAIN, 1, data[1], 1, n, n);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.hadamard =
        IFN_ARGS(hadamard, .x = data[0], .y = data[1], .out = data[2], .n = c->dim[0]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[0];
}

const conform_module conform_module_hadamard = {
    .op = IFN_OP_HADAMARD,
    .dim_names = {"n"},
    .aliases = {"out=x", "out=y"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_hadamard,
    .work = work,
};
