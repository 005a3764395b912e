/* The row, and every other byte as it was. */
#include "movement.h"

void conform_truth_copy_row_2d(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[o], pool);
    for (int64_t i = 0; i < c->dim[2]; i++)
        conform_move(want, c->dim[3] * c->dim[2] + i, data[0], c->dim[4] * c->dim[2] + i);
}
