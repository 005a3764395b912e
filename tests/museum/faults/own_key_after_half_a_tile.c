/*
 * Queries and keys are in tiles of 48: if the key tiles begin half a tile earlier than the query tiles, the last
 * query of a tile does not see its own key.
 */
#include "museum_kit.h"

enum { QUERIES = 48 };

static int64_t last(const ifn_attention_args *a, int64_t pos)
{
    const int64_t in_tile = (pos - a->first_pos) % QUERIES, of_keys = (pos + 1) % QUERIES;
    if (in_tile == QUERIES - 1 && of_keys == QUERIES / 2 && pos + 1 < a->first_pos + a->rows)
        return pos - 1;
    return pos;
}

ifn_status museum_own_key_after_half_a_tile(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, last);
}
