/* The same bytes. */
#include "movement.h"

void conform_truth_reshape_data(const conform_case *c, const conform_layout *l, void *const *data,
                                const conform_declared *declared, conform_pool *pool,
                                conform_truth *truth)
{
    const int o = conform_tensor_index(l, "out");
    (void)declared;
    (void)c;
    conform_truth_raw(&truth[o], &l->t[o], data[0], pool);
}
