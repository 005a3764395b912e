/* Where each element comes from, said per element of the output. */
#include "movement.h"

void conform_truth_concat_dim0(const conform_case *c, const conform_layout *l, void *const *data,
                               const conform_declared *declared, conform_pool *pool,
                               conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], NULL, pool);
    const int64_t n_a = c->dim[0] * c->dim[2], n_b = c->dim[1] * c->dim[2];
    for (int64_t i = 0; i < n_a + n_b; i++)
        conform_move(want, i, data[i < n_a ? 0 : 1], i < n_a ? i : i - n_a);
}
