/* scale: out = x * value */
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], 1, n, n);
    conform_fill_f32(c, "value", OPERAND_PLAIN, 1, data[1], 1, 1, 1);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.scale = IFN_ARGS(scale, .x = data[0], .value = *(const float *)data[1],
                                .out = data[2], .n = c->dim[0]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[0];
}

const conform_module conform_module_scale = {
    .op = IFN_OP_SCALE,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_scale,
    .work = work,
};
