/*
 * The pairing is taken for half-split, whatever is asked for.
 *
 * Follows aprender#2084
 */
#include "museum_kit.h"

ifn_status museum_rope_always_halves(ifn_backend *self, const ifn_apply_rope_single_row_args *a)
{
    ifn_apply_rope_single_row_args half = *a;
    if (a->pairing == IFN_ROPE_INTERLEAVED)
        half.pairing = IFN_ROPE_HALF_SPLIT;
    return ifn_apply_rope_single_row(self->base, &half);
}
