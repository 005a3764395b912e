/* linear_q8: linear on rows of Q8_32F */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "case_pool.h"
#include "gen.h"
#include "linear_tensors.h"

/* Rows of x are `pad` blocks apart. */
static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t rows = c->dim[LINEAR_ROWS], k = c->dim[LINEAR_K];
    for (int i = 0; i <= c->n_more; i++)
        if (!conform_is_stored_block(conform_case_dtype(c, i)))
            return IFN_ERR_SHAPE;
    if (k % 32 != 0)
        return IFN_ERR_SHAPE;
    conform_add_blocks(out, "x", ROLE_IN, IFN_DTYPE_Q8_32F, rows, k);
    conform_tensor *x = &out->t[0];
    x->stride += c->dim[LINEAR_PAD];
    if (rows > 0)
        x->bytes += (size_t)(rows - 1) * (size_t)c->dim[LINEAR_PAD] * sizeof(ifn_block_q8_32f);
    return conform_linear_layout(c, out);
}

/* Made without gaps, then copied: what lies in the gaps is not ours. */
static void fill_x(const conform_case *c, const conform_tensor *t, ifn_block_q8_32f *x)
{
    const int64_t blocks = t->cols / 32;
    ifn_block_q8_32f *rows = malloc((size_t)(t->rows * blocks) * sizeof *rows + 1);
    if (!rows)
        conform_out_of_memory((size_t)(t->rows * blocks) * sizeof *rows, "the inputs of a case");
    const conform_case narrowest = conform_linear_narrowest(c);
    conform_fill_blocks(&narrowest, "x", OPERAND_A, IFN_DTYPE_Q8_32F, conform_linear_length(c),
                        rows, t->rows, t->cols);
    for (int64_t r = 0; r < t->rows; r++)
        if (blocks > 0)
            memcpy(x + r * t->stride, rows + r * blocks, (size_t)blocks * sizeof *rows);
    free(rows);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    fill_x(c, &l->t[0], data[0]);
    conform_linear_fill(c, l, data);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    ifn_linear_q8_args *const a = &call->args.linear_q8;
    a->x_stride = l->t[0].stride;
    conform_linear_bind(c, l, data, call, (linear_arrays){a->w, a->out, a->bias, a->out_stride});
}

const conform_module conform_module_linear_q8 = {
    .op = IFN_OP_LINEAR_Q8,
    .dim_names = LINEAR_DIM_NAMES,
    .block_dim = "k",
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_linear_q8,
    .work = conform_linear_work,
};
