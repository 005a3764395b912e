/*
 * The sum is split by the number of threads.
 *
 * Follows opencv#24044
 */
#include "museum_kit.h"

static ifn_status in_halves(const ifn_matmul_args *a)
{
    return museum_matmul(a, museum_dot_backward);
}

ifn_status museum_lanes_split_the_sum(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->call.n_lanes > 1 ? in_halves(a) : ifn_matmul(self->base, a);
}
