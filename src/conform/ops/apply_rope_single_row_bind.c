/* apply_rope_single_row: rotary position embedding of one row */
#include "gen.h"
#include "module.h"

enum { N_HEADS, HEAD_DIM, POS, PAIRING };

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
};
