/* rsqrt_elem: out = 1 / sqrt(x) */
#include "gen.h"
#include "module.h"

#include <math.h>

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    float *x = data[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, x, 1, n, n);
    for (int64_t i = 0; c->family != FAMILY_SPECIALS && i < n; i++)
        x[i] = fabsf(x[i]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.rsqrt_elem = IFN_ARGS(rsqrt_elem, .x = data[0], .out = data[1], .n = c->dim[0]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[0];
}

const conform_module conform_module_rsqrt_elem = {
    .op = IFN_OP_RSQRT_ELEM,
    .dim_names = {"n"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_rsqrt_elem,
    .work = work,
};
