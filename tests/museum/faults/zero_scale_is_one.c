/* A scale of zero is replaced by 1, as a guard against division by zero. */
#include <string.h>

#include "museum_kit.h"

static void edit(ifn_dtype dtype, void *row, int64_t k)
{
    static const uint16_t one = 0x3c00;
    const int64_t n = k / museum_block_elements(dtype);
    for (int64_t b = 0; b < n; b++) {
        unsigned char *const d = (unsigned char *)row + (size_t)b * museum_block_bytes(dtype) +
                                 museum_scale_offset(dtype);
        uint16_t bits;
        memcpy(&bits, d, sizeof bits);
        if ((bits & 0x7fff) == 0)
            memcpy(d, &one, sizeof one);
    }
}

ifn_status museum_zero_scale_is_one(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_weights(self->base, a, edit);
}
