/* Key positions are kept in 16 bits: the row at position p of a longer context sees keys 0 .. p mod 2^16. */
#include "museum_kit.h"

static int64_t in_16_bits(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return (int64_t)(uint16_t)pos;
}

ifn_status museum_keys_in_16_bits(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->first_pos + a->rows <= 65536)
        return ifn_attention(self->base, a);
    return museum_attention_positions(self->base, a, in_16_bits);
}
