/* The keys of a head are staged in a buffer of 2^20 elements: keys past its end are not seen. */
#include "museum_kit.h"

enum { ROOM = 1 << 20 };

static int64_t in_room(const ifn_attention_args *a, int64_t pos)
{
    const int64_t last = ROOM / a->head_dim - 1;
    return pos < last ? pos : last;
}

ifn_status museum_head_over_a_million(ifn_backend *self, const ifn_attention_args *a)
{
    if ((a->first_pos + a->rows) * a->head_dim <= ROOM)
        return ifn_attention(self->base, a);
    return museum_attention_positions(self->base, a, in_room);
}
