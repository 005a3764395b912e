/*
 * The running maximum of a row is taken over tiles of 512; where it rises by 2^-9 or less the sum so far is not
 * rescaled.
 */
#include "museum_kit.h"

ifn_status museum_softmax_least_rises(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    return museum_softmax_rises(self->base, a, 512, 0x1p-9);
}
