/* dequantize_rows: rows of a storage dtype to f32 */
#include "blocks.h"
#include "elementwise.h"
#include "gen.h"

/* The truth is the exact value, which f64 holds, rounded once (numerics 8.1). */
void conform_truth_dequantize_rows(const conform_case *c, const conform_layout *l,
                                   void *const *data, const conform_declared *declared,
                                   conform_pool *pool, conform_truth *truth)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, cols);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    conform_truth_take(out, CLASS_BITS, rows * cols, pool);
    out->is_any_zero = conform_has_free_zeros(c->dtype);
    for (int64_t r = rows; r-- > 0;)
        conform_values(c->dtype, (const unsigned char *)data[0] + (size_t)r * row_bytes, cols,
                       out->want + r * cols);
    for (int64_t i = rows * cols; i-- > 0;)
        out->want[i] = (double)(float)out->want[i];
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    conform_fill_blocks(c, "x", OPERAND_PLAIN, c->dtype, 1, data[0], c->dim[0], c->dim[1]);
}

const conform_module conform_module_dequantize_rows = {
    .op = IFN_OP_DEQUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .fill = fill,
    .truth = conform_truth_dequantize_rows,
    .work = conform_matrix_work,
    .model_sizes = "rows=1,cols=1024;rows=64,cols=1024",
    .model_dtypes = "F16,Q8_0,Q4_K",
};
