/* gather_rows: f32 rows move bit for bit, the others are decoded with one rounding. */
#include <string.h>

#include "blocks.h"
#include "module.h"

static void copy_rows(const conform_case *c, const unsigned char *table, const int32_t *ids,
                      conform_pool *pool, conform_truth *out)
{
    const size_t row_bytes = (size_t)c->dim[2] * sizeof(float);
    conform_truth_take(out, CLASS_RAW, c->dim[0] * (int64_t)row_bytes, pool);
    for (int64_t i = c->dim[0]; i-- > 0 && row_bytes > 0;)
        memcpy(out->raw + (size_t)i * row_bytes, table + (size_t)ids[i] * row_bytes, row_bytes);
}

void conform_truth_gather_rows(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int64_t n = c->dim[0], cols = c->dim[2];
    const unsigned char *table = data[conform_tensor_index(l, "table")];
    const int32_t *ids = data[conform_tensor_index(l, "ids")];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, cols);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    (void)declared;
    if (c->dtype == IFN_DTYPE_F32) {
        copy_rows(c, table, ids, pool, out);
        return;
    }
    conform_truth_take(out, CLASS_BITS, n * cols, pool);
    for (int64_t r = n; r-- > 0;)
        conform_values(c->dtype, table + (size_t)ids[r] * row_bytes, cols, out->want + r * cols);
    for (int64_t i = n * cols; i-- > 0;)
        out->want[i] = (double)(float)out->want[i];
}
