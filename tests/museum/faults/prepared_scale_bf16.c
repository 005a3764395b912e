/* Prepared weights are copies of the raw ones here: only the scales of f16 lose three bits. */
#include "museum_kit.h"

static void round_scales(ifn_dtype dtype, void *row, int64_t k)
{
    const size_t bytes = museum_block_bytes(dtype), at = museum_scale_offset(dtype);
    const int64_t n = museum_block_elements(dtype) ? k / museum_block_elements(dtype) : 0;
    for (int64_t b = 0; b < n; b++) {
        unsigned char *d = (unsigned char *)row + (size_t)b * bytes + at;
        d[0] &= 0xf8; /* 8 of 11 significant bits, cut off */
    }
}

ifn_status museum_prepared_scale_bf16(ifn_backend *self, const ifn_linear_q8_args *a)
{
    int is_prepared = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        is_prepared |= a->packed[i] != NULL;
    return is_prepared ? museum_linear_q8_weights(self->base, a, round_scales)
                       : ifn_linear_q8(self->base, a);
}
