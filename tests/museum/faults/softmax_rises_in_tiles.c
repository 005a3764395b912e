/*
 * The running maximum of a row is taken over tiles of 64; where it rises by 2^-6 or less the sum so far is not
 * rescaled.
 */
#include "museum_kit.h"

ifn_status museum_softmax_rises_in_tiles(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    return museum_softmax_rises(self->base, a, 64, 0x1p-6);
}
