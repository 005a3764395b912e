/*
 * F32, F16, BF16: no blocks, one little-endian number per element.
 *
 *   F32   s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm   kept bit for bit, NaN payloads included
 *   F16   s eeeee mmmmmmmmmm                   11 significant bits, up to 65504
 *   BF16  s eeeeeeee mmmmmmm                   the upper half of an f32: 8 significant bits
 *
 * Decoding is exact. Encoding rounds once, ties to even (f16.h).
 */
#include "quant_priv.h"

void ifn_dequantize_F32(const void *x, float *out, int64_t n_blocks)
{
    const uint8_t *p = x;
    for (int64_t i = 0; i < n_blocks; i++) {
        const uint32_t bits = ifn_load_u32le(p + 4 * i);
        memcpy(&out[i], &bits, sizeof bits);
    }
}

void ifn_quantize_F32(const float *x, void *out, int64_t n_blocks)
{
    uint8_t *p = out;
    for (int64_t i = 0; i < n_blocks; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        ifn_store_u32le(p + 4 * i, bits);
    }
}

void ifn_dequantize_F16(const void *x, float *out, int64_t n_blocks)
{
    const uint8_t *p = x;
    for (int64_t i = 0; i < n_blocks; i++)
        out[i] = ifn_f16_to_f32(ifn_load_u16le(p + 2 * i));
}

void ifn_quantize_F16(const float *x, void *out, int64_t n_blocks)
{
    uint8_t *p = out;
    for (int64_t i = 0; i < n_blocks; i++)
        ifn_store_u16le(p + 2 * i, ifn_f32_to_f16(x[i]));
}

void ifn_dequantize_BF16(const void *x, float *out, int64_t n_blocks)
{
    const uint8_t *p = x;
    for (int64_t i = 0; i < n_blocks; i++)
        out[i] = ifn_bf16_to_f32(ifn_load_u16le(p + 2 * i));
}

void ifn_quantize_BF16(const float *x, void *out, int64_t n_blocks)
{
    uint8_t *p = out;
    for (int64_t i = 0; i < n_blocks; i++)
        ifn_store_u16le(p + 2 * i, ifn_f32_to_bf16(x[i]));
}
