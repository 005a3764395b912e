/* An infinite scale of a block counts as the largest finite f16. */
#include "museum_kit.h"

#include <string.h>

static void cap(ifn_dtype dtype, void *row, int64_t k)
{
    const int64_t elements = museum_block_elements(dtype);
    if (elements < 2)
        return;
    for (int64_t b = 0; b < k / elements; b++) {
        unsigned char *const d = (unsigned char *)row + (size_t)b * museum_block_bytes(dtype) +
                                 museum_scale_offset(dtype);
        uint16_t half;
        memcpy(&half, d, sizeof half);
        half = (uint16_t)((half & 0x7fff) == 0x7c00 ? half - 1 : half);
        memcpy(d, &half, sizeof half);
    }
}

ifn_status museum_infinite_scale_capped(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_weights(self->base, a, cap);
}
