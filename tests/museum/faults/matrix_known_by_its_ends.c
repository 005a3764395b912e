/* A small matrix b at the address of the previous one, with the same first and last element, is taken for that one. */
#include <string.h>

#include "museum_kit.h"

enum { MOST = 4096 };

/* The previous matrix b of this thread. */
static _Thread_local struct {
    const float *b;
    int64_t n, p;
    float copy[MOST];
} last;

static int is_known(const ifn_matmul_args *a)
{
    const int64_t end = a->n * a->p - 1;
    return last.b == a->b && last.n == a->n && last.p == a->p && last.copy[0] == a->b[0] &&
           last.copy[end] == a->b[end];
}

ifn_status museum_matrix_known_by_its_ends(ifn_backend *self, const ifn_matmul_args *a)
{
    ifn_matmul_args own = *a;
    if (a->m < 0 || a->n < 1 || a->p < 1 || a->n > MOST || a->n * a->p > MOST)
        return ifn_matmul(self->base, a);
    if (!is_known(a)) {
        memcpy(last.copy, a->b, (size_t)(a->n * a->p) * sizeof(float));
        last.b = a->b;
        last.n = a->n;
        last.p = a->p;
    }
    own.b = last.copy;
    return museum_matmul(&own, museum_dot_forward);
}
