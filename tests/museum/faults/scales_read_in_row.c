/*
 * In Q4_K and Q5_K the high bits of the scales 4 to 7 are not fetched.
 *
 * Follows trueno#182
 */
#include "museum_kit.h"

static void clear_high_bits(ifn_dtype dtype, void *row, int64_t k)
{
    const int64_t n = dtype == IFN_DTYPE_Q4_K || dtype == IFN_DTYPE_Q5_K ? k / 256 : 0;
    for (int64_t b = 0; b < n; b++) {
        unsigned char *const block = (unsigned char *)row + (size_t)b * museum_block_bytes(dtype);
        for (int i = 0; i < 8; i++)
            block[4 + i] &= 0x3f;
    }
}

ifn_status museum_scales_read_in_row(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_weights(self->base, a, clear_high_bits);
}
