/*
 * The vector part rounds ties to even, the scalar tail away from zero.
 *
 * Follows onnxruntime#28606
 */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_32f *const b = block;
    const float inverse = 127.0f / museum_largest(x);
    for (int i = 16; i < 32 && b->d != 0; i++) {
        const int code = (int)roundf(x[i] * inverse);
        b->s += code - b->qs[i];
        b->qs[i] = (int8_t)code;
    }
}

ifn_status museum_tail_ties_away(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_32F, edit);
}
