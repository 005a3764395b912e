/* Calls alternate between two orders of summation, as in a kernel that times its variants and then settles on one. */
#include "museum_kit.h"

ifn_status museum_second_call_differs(ifn_backend *self, const ifn_matmul_args *a)
{
    static int n_calls;
    (void)self;
    return museum_matmul(a, n_calls++ % 2 ? museum_dot_backward : museum_dot_forward);
}
