/* The first row after a tile of 16 does not see its last key, which is its own. */
#include "museum_kit.h"

static int64_t one_less(const ifn_attention_args *a, int64_t pos)
{
    return pos - a->first_pos == 16 ? pos - 1 : pos;
}

ifn_status museum_query_17_without_itself(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, one_less);
}
