/* The window, and every byte beside it as it was. */
#include "movement.h"

void conform_truth_copy_2d_into_cols(const conform_case *c, const conform_layout *l,
                                     void *const *data, const conform_declared *declared,
                                     conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[o], pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        conform_move(want, i / c->dim[1] * c->dim[2] + c->dim[3] + i % c->dim[1], data[0], i);
}
