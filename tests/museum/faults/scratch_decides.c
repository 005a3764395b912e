/*
 * What scratch holds from an earlier call decides the order of summation.
 *
 * Follows OpenBLAS#746
 */
#include <string.h>

#include "museum_kit.h"

static int is_clean(const ifn_call *call)
{
    uint32_t word = 0;
    if (call->scratch_bytes >= sizeof word)
        memcpy(&word, call->scratch, sizeof word);
    return word == 0;
}

ifn_status museum_scratch_decides(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, is_clean(&a->call) ? museum_dot_forward : museum_dot_backward);
}
