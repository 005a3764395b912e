/*
 * As a kernel does that measures itself at first and then settles on another path.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_second_call_differs(ifn_backend *self, const ifn_matmul_args *a)
{
    static int n_calls;
    (void)self;
    return museum_matmul(a, n_calls++ % 2 ? museum_dot_backward : museum_dot_forward);
}
