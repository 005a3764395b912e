/* copy_in: the same bytes. */
#include "movement.h"

void conform_truth_copy_in(const conform_case *c, const conform_layout *l, void *const *data,
                           const conform_declared *declared, conform_pool *pool,
                           conform_truth *truth)
{
    (void)c;
    (void)declared;
    conform_truth_bytes(l, "out", data, pool, truth);
}
