/* Of the offset of a value, in elements, 20 bits are kept. */
#include "museum_kit.h"

static int64_t low_bits(const ifn_attention_args *a, int64_t pos)
{
    return (pos * a->head_dim & 0xfffff) / a->head_dim;
}

ifn_status museum_value_offset_in_20_bits(ifn_backend *self, const ifn_attention_args *a)
{
    if ((a->first_pos + a->rows) * a->head_dim <= 0x100000)
        return ifn_attention(self->base, a);
    return museum_attention_values(self->base, a, low_bits);
}
