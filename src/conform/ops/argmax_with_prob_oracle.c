/* Both outputs bit for bit (numerics 7.8). */
#include "movement.h"

#include <math.h>
#include <string.h>

void conform_truth_argmax_with_prob(const conform_case *c, const conform_layout *l,
                                    void *const *data, const conform_declared *declared,
                                    conform_pool *pool, conform_truth *truth)
{
    const int index = conform_tensor_index(l, "index"), value = conform_tensor_index(l, "value");
    const float *x = data[0];
    int32_t best = 0;
    (void)declared;
    /* From the end, >= keeps the lowest; a NaN compares false and never wins unless it stands first
     * with nothing but NaN after it. */
    for (int64_t i = c->dim[0]; i-- > 0;)
        if (!isnan(x[i]) && (isnan(x[best]) || x[i] > x[best] || (x[i] == x[best] && i < best)))
            best = (int32_t)i;
    memcpy(conform_truth_raw(&truth[index], &l->t[index], NULL, pool), &best, sizeof best);
    conform_move(conform_truth_raw(&truth[value], &l->t[value], NULL, pool), 0, x, best);
}
