/* quantize_rows: f32 rows to a storage dtype */
#include "elementwise.h"
#include "gen_ties.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    if (cols % ifn_dtype_block_elements(c->out_dtype) != 0)
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, rows, cols);
    conform_add_blocks(out, "out", ROLE_OUT, c->out_dtype, rows, cols);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    (void)l;
    if (c->family == FAMILY_TIES)
        conform_fill_ties(c, "x", c->out_dtype, data[0], rows * cols);
    else
        conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], rows, cols, cols);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.quantize_rows =
        IFN_ARGS(quantize_rows, .out = data[1], .x = data[0], .rows = c->dim[0], .cols = c->dim[1],
                 .out_dtype = c->out_dtype);
}

const conform_module conform_module_quantize_rows = {
    .op = IFN_OP_QUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_quantize_rows,
    .work = conform_matrix_work,
};
