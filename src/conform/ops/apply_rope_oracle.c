/* apply_rope: every row by its own table row, the last row first. */
#include "module.h"
#include "rope.h"

enum { ROWS, N_HEADS, HEAD_DIM, POS, PAIRING };

void conform_truth_apply_rope(const conform_case *c, const conform_layout *l, void *const *data,
                              const conform_declared *declared, conform_pool *pool,
                              conform_truth *truth)
{
    const int64_t width = c->dim[N_HEADS] * c->dim[HEAD_DIM];
    const float *x = data[conform_tensor_index(l, "x")];
    const float *table = data[conform_tensor_index(l, "table")];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, c->dim[ROWS] * width, pool);
    for (int64_t r = c->dim[ROWS]; r-- > 0;)
        conform_judge_rope_row(out, r * width, x + r * width, table + r * c->dim[HEAD_DIM],
                               c->dim[N_HEADS], c->dim[HEAD_DIM], c->dim[PAIRING], declared);
}
