/* Keys are read at the low 16 bits of their position. */
#include "museum_kit.h"

static int64_t low_bits(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return pos & 0xffff;
}

ifn_status museum_key_index_in_16_bits(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->first_pos + a->rows <= 65536)
        return ifn_attention(self->base, a);
    return museum_attention_keys(self->base, a, low_bits);
}
