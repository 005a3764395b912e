/* A part of a call is summed backwards. */
#include "museum_kit.h"

ifn_status museum_part_order(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    const int is_part = a->part_end != 0 || a->part2_end != 0;
    return museum_matmul(a, is_part ? museum_dot_backward : museum_dot_forward);
}
