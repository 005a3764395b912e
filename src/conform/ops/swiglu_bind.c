/* swiglu: silu(gate) * up */
#include "activations.h"
#include "elementwise.h"
#include "gen.h"

/* In place only as f32. */
static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->alias && c->out_dtype != IFN_DTYPE_F32)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "gate", ROLE_IN, c->dim[0], c->dim[1]);
    conform_add_f32(out, "up", ROLE_IN, c->dim[0], c->dim[1]);
    return conform_add_activations(out, c->out_dtype, c->dim[0], c->dim[1]);
}

/* Gates go through an exponential: they are spread as logits are. */
static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], dim = c->dim[1];
    (void)l;
    conform_fill_f32(c, "gate", OPERAND_LOGIT, 1, data[0], rows, dim, dim);
    conform_fill_f32(c, "up", OPERAND_PLAIN, 1, data[1], rows, dim, dim);
}

const conform_module conform_module_swiglu = {
    .op = IFN_OP_SWIGLU,
    .dim_names = {"rows", "dim"},
    .block_dim = "dim",
    .aliases = {"out=gate", "out=up"},
    .layout = layout,
    .fill = fill,
    .truth = conform_truth_swiglu,
    .work = conform_matrix_work,
};
