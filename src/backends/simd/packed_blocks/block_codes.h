/* Loads codes and scales of a packed panel into registers. Where speed matters the format is a compile-time
 * constant, so that the compiler removes its cases. */
#ifndef IFN_Q8_CODES_H
#define IFN_Q8_CODES_H

#include "block_format.h"

/* The fields of vector j of a plane of `width` bits, moved to bit `at` of their bytes. */
IFN_INLINE vi ifn_q8_field(const uint8_t *plane, int width, int j, int at)
{
    const vi fields = vb_load(plane + j % width * VEC_BYTES);
    const int from = width * (j / width);
    const vi moved = from > at   ? vi_shr(fields, from - at)
                     : from < at ? vi_shl(fields, at - from)
                                 : fields;
    return vi_and(moved, vi_set(((1 << width) - 1) * (1 << at) * 0x01010101));
}

/* Vector j of the eight of a block, whose planes begin at p. */
IFN_INLINE vi ifn_q8_code(const uint8_t *p, int bits, int j)
{
    if (bits == 8)
        return vb_load(p + j * VEC_BYTES);
    const int low = bits < 4 ? 2 : 4;
    const vi fields = ifn_q8_field(p, low, j, 0);
    if (bits == low)
        return fields;
    return vi_or(fields, ifn_q8_field(p + low * VEC_BYTES, bits - low, j, low));
}

typedef struct ifn_q8_factors {
    vf scale[2], min[2]; /* by group */
} ifn_q8_factors;

IFN_INLINE vf ifn_q8_f16(const uint8_t *unit, int i)
{
    return vf_load_f16((const uint16_t *)(const void *)(unit + 2 * VL * i));
}

IFN_INLINE vf ifn_q8_u8(const uint8_t *unit, int i)
{
    return vi_convert(vi_load_u8(unit + 4 * VL + VL * i));
}

/* Scales and minima of block b of a unit: exact products. */
IFN_INLINE ifn_q8_factors ifn_q8_factors_of(const uint8_t *unit, ifn_q8_scales scales, int b)
{
    const vf d = ifn_q8_f16(unit, 0);
    ifn_q8_factors out = {{d, d}, {d, d}};
    if (scales == IFN_Q8_F16)
        return out;
    if (scales == IFN_Q8_K_SIGNED) {
        const int8_t *const sc = (const int8_t *)unit + 2 * VL + 2 * VL * b;
        out.scale[0] = vf_mul(d, vi_convert(vi_load_i8(sc)));
        out.scale[1] = vf_mul(d, vi_convert(vi_load_i8(sc + VL)));
        return out;
    }
    const vf m = ifn_q8_f16(unit, 1);
    if (scales == IFN_Q8_F16_MIN) {
        out.min[0] = m;
    } else if (scales == IFN_Q8_K_AFFINE) {
        out.scale[0] = vf_mul(d, ifn_q8_u8(unit, b));
        out.min[0] = vf_mul(m, ifn_q8_u8(unit, 8 + b));
    } else {
        for (int g = 0; g < 2; g++) {
            const vi both = vi_load_u8(unit + 4 * VL + VL * (2 * b + g));
            out.scale[g] = vf_mul(d, vi_convert(vi_and(both, vi_set(15))));
            out.min[g] = vf_mul(m, vi_convert(vi_shr(both, 4)));
        }
    }
    return out;
}

#endif
