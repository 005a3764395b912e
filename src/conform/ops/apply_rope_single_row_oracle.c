/* apply_rope_single_row: the rotation of one row. */
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
