/* Unpacks codes and scales into a chunk, for tiles and strips. */
#ifndef IFN_SIMD_BLOCK_UNPACK_H
#define IFN_SIMD_BLOCK_UNPACK_H

#include "block_dot.h"

IFN_INLINE vi unpacked_code(const ifn_q8_format f, const bool is_signed, const uint8_t *codes,
                            int j)
{
    const vi code = ifn_q8_code(codes, f.bits, j);
#ifdef DOT_HAS_TILES
    if (is_signed && f.offset)
        return vb_minus(code, f.offset);
#endif
    (void)is_signed;
    return code;
}

/* is_signed: subtracts the offset from each code. */
IFN_SPECIALIZED void unpack(const ifn_q8_format f, const bool is_signed, const uint8_t *packed,
                            int64_t n, ifn_q8_chunk *out)
{
    const uint8_t *const first = packed + ifn_q8_scales_bytes(&f, n);
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *const codes = first + i * f.bits * VEC_BYTES;
        const uint8_t *const unit = packed + i / f.unit * f.scale_bytes * VL;
        const ifn_q8_factors w = ifn_q8_factors_of(unit, f.scales, (int)(i % f.unit));
        if (f.bits != WIDE || is_signed) {
            IFN_UNROLL
            for (int j = 0; j < 8; j++)
                vb_store(out->codes + i * Q8_CODE_BYTES + j * VEC_BYTES,
                         unpacked_code(f, is_signed, codes, j));
        }
        for (int g = 0; g < f.groups; g++) {
            vf_store(out->scale + (i * f.groups + g) * VL, w.scale[g]);
            if (VEC_HAS_FMA && g == 0)
                vf_store(out->shift + i * VL, ifn_q8_shift(w.scale[g]));
            if (f.has_min)
                vf_store(out->min + (i * f.groups + g) * VL, w.min[g]);
        }
    }
}

#endif
