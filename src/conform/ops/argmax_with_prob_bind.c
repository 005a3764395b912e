/* argmax_with_prob: the first maximum, and its value */
#include "elementwise.h"
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[0] < 1)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_i32(out, "index", ROLE_OUT, 1);
    conform_add_f32(out, "value", ROLE_OUT, 1, 1);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    float *x = data[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_LOGIT, 1, x, 1, c->dim[0], c->dim[0]);
    /* Ties are what the op is about: in every second case few values share the row. */
    if (conform_is_swapped(c) && c->family != FAMILY_SPECIALS)
        for (int64_t i = 0; i < c->dim[0]; i++)
            x[i] = (float)conform_integer(conform_stream_of(c->seed, "tie"), (uint64_t)i, -3, 3);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.argmax_with_prob = IFN_ARGS(argmax_with_prob, .x = data[0], .index = data[1],
                                           .value = data[2], .n = c->dim[0]);
}

const conform_module conform_module_argmax_with_prob = {
    .op = IFN_OP_ARGMAX_WITH_PROB,
    .dim_names = {"n"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_argmax_with_prob,
    .work = conform_vector_work,
};
