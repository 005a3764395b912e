/* apply_rope_single_row: rotary position embedding of one row */
#include "gen.h"
#include "module.h"

enum { N_HEADS, HEAD_DIM, POS, PAIRING };

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t n_heads = c->dim[N_HEADS], head_dim = c->dim[HEAD_DIM];
    if (head_dim % 2 != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, n_heads, head_dim);
    conform_add_f32(out, "table", ROLE_IN, 1, head_dim);
    conform_add_f32(out, "out", ROLE_OUT, n_heads, head_dim);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], l->t[0].rows, l->t[0].cols, l->t[0].stride);
    conform_fill_rope(data[1], c->dim[HEAD_DIM], c->dim[POS], conform_rope_base(c));
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.apply_rope_single_row =
        IFN_ARGS(apply_rope_single_row, .out = data[2], .x = data[0], .table = data[1],
                 .n_heads = c->dim[N_HEADS], .head_dim = c->dim[HEAD_DIM],
                 .pairing = (int32_t)c->dim[PAIRING]);
}

static int64_t work(const conform_case *c)
{
    return c->dim[N_HEADS] * c->dim[HEAD_DIM];
}

const conform_module conform_module_apply_rope_single_row = {
    .op = IFN_OP_APPLY_ROPE_SINGLE_ROW,
    .dim_names = {"n_heads", "head_dim", "pos", "pairing"},
    .aliases = {"out=x"},
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_apply_rope_single_row,
    .work = work,
};
