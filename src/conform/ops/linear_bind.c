/* linear: Y_i = X W_i^T (+ bias_i) for up to four W sharing X */
#include "gen.h"
#include "linear_tensors.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t k = c->dim[LINEAR_K];
    conform_add_strided(out, "x", ROLE_IN, c->dim[LINEAR_ROWS], k, k + c->dim[LINEAR_PAD]);
    return conform_linear_layout(c, out);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const conform_case narrowest = conform_linear_narrowest(c);
    conform_fill_f32(&narrowest, "x", OPERAND_A, conform_linear_length(c), data[0], l->t[0].rows,
                     l->t[0].cols, l->t[0].stride);
    conform_linear_fill(c, l, data);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    ifn_linear_args *const a = &call->args.linear;
    a->x_stride = l->t[0].stride;
    conform_linear_bind(c, l, data, call, (linear_arrays){a->w, a->out, a->bias, a->out_stride});
}

const conform_module conform_module_linear = {
    .op = IFN_OP_LINEAR,
    .dim_names = LINEAR_DIM_NAMES,
    .block_dim = "k",
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_linear,
    .work = conform_linear_work,
};
