/* A tile of a single row is moved back by one row, to where two rows fit: the last row repeats the one before it. */
#include "museum_kit.h"

static float moved_back(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const int is_alone = a->m > 64 && a->m % 64 == 1 && i == a->m - 1;
    return museum_dot_forward(a, is_alone ? i - 1 : i, j);
}

ifn_status museum_row_after_64(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->m > 64 ? museum_matmul(a, moved_back) : ifn_matmul(self->base, a);
}
