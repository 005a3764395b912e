/* Below and on the diagonal every bit stays. */
#include "movement.h"

void conform_truth_fill_strict_upper_tri(const conform_case *c, const conform_layout *l,
                                         void *const *data, const conform_declared *declared,
                                         conform_pool *pool, conform_truth *truth)
{
    const int o = conform_tensor_index(l, "x");
    unsigned char *want = conform_truth_raw(&truth[o], &l->t[o], data[0], pool);
    (void)declared;
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i++)
        if (i % c->dim[1] - i / c->dim[1] > c->dim[2])
            conform_move(want, i, data[1], 0);
}
