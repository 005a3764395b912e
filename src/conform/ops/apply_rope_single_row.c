/* apply_rope_single_row: rotary position embedding of one row */
#include "gen.h"
#include "module.h"
#include "rope.h"

enum { N_HEADS, HEAD_DIM, POS, PAIRING };

void conform_truth_apply_rope_single_row(const conform_case *c, const conform_layout *l,
                                         void *const *data, const conform_declared *declared,
                                         conform_pool *pool, conform_truth *truth)
{
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[N_HEADS] * c->dim[HEAD_DIM], pool);
    conform_judge_rope_row(out, 0, data[conform_tensor_index(l, "x")],
                           data[conform_tensor_index(l, "table")], c->dim[N_HEADS],
                           c->dim[HEAD_DIM], c->dim[PAIRING], declared);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], l->t[0].rows, l->t[0].cols, l->t[0].stride);
    conform_fill_rope(data[1], c->dim[HEAD_DIM], c->dim[POS], conform_rope_base(c));
}

static int64_t work(const conform_case *c)
{
    return c->dim[N_HEADS] * c->dim[HEAD_DIM];
}

const conform_module conform_module_apply_rope_single_row = {
    .op = IFN_OP_APPLY_ROPE_SINGLE_ROW,
    .dim_names = {"n_heads", "head_dim", "pos", "pairing"},
    .aliases = {"out=x"},
    .fill = fill,
    .truth = conform_truth_apply_rope_single_row,
    .work = work,
    .model_sizes = "n_heads=16,head_dim=128,pos=511",
};
