/*
 * Queries in tiles of 48: where those of keys are half a tile apart, the last query of a tile does not see its own key.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

static int64_t last(const ifn_attention_args *a, int64_t pos)
{
    enum { TILE = 48 };
    const int64_t row = pos - a->first_pos;
    const int is_last = row % TILE
    == TILE
    -1 && row + 1 < a->rows;
    return is_last && (pos + 1) % TILE
    == TILE
    / 2 ? pos - 1 : pos;
}

ifn_status museum_own_key_after_half_a_tile(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, last);
}
