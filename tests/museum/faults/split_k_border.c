/*
 * Where the sum is split for its length the last piece is not added; borders are a sixteenth
 * of the real ones.
 *
 * Follows mlx#3797
 */
#include "museum_kit.h"

/* There from m p >= 2048^2, n >= 10240 and n >= 3 max(m, p) on. */
static int is_split(const ifn_matmul_args *a)
{
    const int64_t larger = a->m > a->p ? a->m : a->p;
    return a->m * a->p >= 128 * 128 && a->n >= 640 && a->n >= 3 * larger;
}

static float without_last_piece(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t t = 0; t < a->n - 64; t++)
        sum += museum_product(a->a[i * a->n + t], a->b[t * a->p + j]);
    return sum;
}

ifn_status museum_split_k_border(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    return status == IFN_OK && is_split(a) ? museum_matmul(a, without_last_piece) : status;
}
