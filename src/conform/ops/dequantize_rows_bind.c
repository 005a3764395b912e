/* dequantize_rows: rows of a storage dtype to f32 */
#include "elementwise.h"
#include "gen.h"
#include "module.h"

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    if (cols % ifn_dtype_block_elements(c->dtype) != 0)
        return IFN_ERR_SHAPE;
    conform_add_blocks(out, "x", ROLE_IN, c->dtype, rows, cols);
    conform_add_f32(out, "out", ROLE_OUT, rows, cols);
    return IFN_OK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_blocks(c, "x", OPERAND_PLAIN, c->dtype, 1, data[0], c->dim[0], c->dim[1]);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    call->args.dequantize_rows = IFN_ARGS(dequantize_rows, .out = data[1], .x = data[0],
                                          .rows = c->dim[0], .cols = c->dim[1], .dtype = c->dtype);
}

const conform_module conform_module_dequantize_rows = {
    .op = IFN_OP_DEQUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_dequantize_rows,
    .work = conform_matrix_work,
};
