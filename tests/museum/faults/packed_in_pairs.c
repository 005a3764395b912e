/*
 * prepare (museum.c) stores one number past the end of the memory that it has allocated; the op reads the raw
 * weights.
 *
 * Follows neural-speed#167
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_packed_in_pairs(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_linear_q8_args raw = *a;
    memset(raw.packed, 0, sizeof raw.packed);
    return ifn_linear_q8(self->base, &raw);
}
