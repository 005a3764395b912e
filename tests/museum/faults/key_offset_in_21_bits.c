/* Of the offset of a key, in bytes, 21 bits are kept. */
#include "museum_kit.h"

static int64_t low_bits(const ifn_attention_args *a, int64_t pos)
{
    const int64_t bytes = (int64_t)museum_attention_row_bytes(a);
    return (pos * bytes & 0x1fffff) / bytes;
}

ifn_status museum_key_offset_in_21_bits(ifn_backend *self, const ifn_attention_args *a)
{
    const int64_t bytes = (int64_t)museum_attention_row_bytes(a);
    if ((a->first_pos + a->rows) * bytes <= 0x200000)
        return ifn_attention(self->base, a);
    return museum_attention_keys(self->base, a, low_bits);
}
