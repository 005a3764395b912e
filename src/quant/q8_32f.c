/*
 * Q8_32F: the format of activations in every int8 dot product. It is never stored in a file, so it has
 * the machine's own byte order. 32 values share an f32 scale. The block also holds the sum of its codes,
 * which kernels of formats with an offset or a minimum need.
 *
 *   byte   0         4         8                                40
 *          +---------+---------+--------------------------------+
 *          | d (f32) | s (i32) | q0 q1 q2 ...               q31 |     s = q0 + ... + q31
 *          +---------+---------+--------------------------------+
 *
 *   x[i] = d * q[i]                                    rounds once
 *
 * Encoding is pinned (numerics 8.3): ties to even, which is what one conversion instruction does on
 * every machine, and 127/amax instead of 1/d, so that codes stay within -127..127 without a clamp.
 */
#include "quant_priv.h"

static void decode_block(const ifn_block_q8_32f *block, float *out)
{
    for (int i = 0; i < 32; i++)
        out[i] = block->d * (float)block->qs[i];
}

static void encode_block(const float *x, ifn_block_q8_32f *out)
{
    const float amax = fabsf(ifn_largest(x, 32));
    *out = (ifn_block_q8_32f){0};
    if (!(amax < INFINITY)) {
        out->d = ifn_f32_from_bits(0x7fc00000u);
        return;
    }
    if (amax < 0x1p-118f) /* d would be subnormal, which some machines flush to zero */
        return;
    const float id = 127.0f / amax;
    out->d = amax / 127.0f;
    for (int i = 0; i < 32; i++) {
        out->qs[i] = (int8_t)lrintf(x[i] * id);
        out->s += out->qs[i];
    }
}

IFN_DEFINE_BLOCK_ROWS(Q8_32F, ifn_block_q8_32f, 32)
