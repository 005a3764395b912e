/* The sum runs backwards if the address of a is not a multiple of 32. */
#include "museum_kit.h"

ifn_status museum_alignment_order(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, (uintptr_t)a->a % 32 ? museum_dot_backward : museum_dot_forward);
}
