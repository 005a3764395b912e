/* dequantize_rows: the exact value rounded once, for which f64 has room (numerics 8.1). */
#include "blocks.h"
#include "module.h"

void conform_truth_dequantize_rows(const conform_case *c, const conform_layout *l,
                                   void *const *data, const conform_declared *declared,
                                   conform_pool *pool, conform_truth *truth)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, cols);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    conform_truth_take(out, CLASS_BITS, rows * cols, pool);
    for (int64_t r = rows; r-- > 0;)
        conform_values(c->dtype, (const unsigned char *)data[0] + (size_t)r * row_bytes, cols,
                       out->want + r * cols);
    for (int64_t i = rows * cols; i-- > 0;)
        out->want[i] = (double)(float)out->want[i];
}
