/*
 * The weight formats of linear_q8, and their packed form.
 *
 * A weight is cut into panels of VL rows, a panel into chunks of Q8_CHUNK blocks of 32 activations,
 * and a chunk holds its scales first, then its codes: read from begin to end, a weight is one
 * stream. The codes of a block are eight vectors of bytes, [k/4][row][4], so that a lane of a dot
 * instruction is one weight row and nothing is ever added across lanes. They stay packed in bits:
 *
 *   a plane of w-bit fields is w vectors; the field of vector j of the eight is at bit w * (j / w)
 *   of the bytes of vector j % w. Codes of 8, 4 and 2 bits are one plane; of 5 and 6 a plane of 4
 *   and one of 1 or 2 for the upper bits; of 3 a plane of 2 and one of 1.
 *
 * Scales are stored per unit, the blocks of 32 that share an f16: 1 block, or 8 in the K formats. A unit
 * holds, VL values of each:
 *
 *   F16         d
 *   F16_MIN     d, m
 *   K_AFFINE    d, -dmin (f16); 8 scales, 8 minima (u8)
 *   K_SIGNED    d (f16); 16 scales (i8)
 *   K_NIBBLES   d, -dmin (f16); 16 bytes, scale low, minimum high
 *
 * So a packed weight is as large as the raw one, except that 6-bit scales take 8 bits, and that zero rows
 * fill the last panel.
 */
#ifndef IFN_Q8_FORMAT_H
#define IFN_Q8_FORMAT_H

#include <stdbool.h>

#include <inferno/dtype.h>

#include "vec_vocabulary.h"

typedef enum ifn_q8_scales {
    IFN_Q8_F16,
    IFN_Q8_F16_MIN,
    IFN_Q8_K_AFFINE,
    IFN_Q8_K_SIGNED,
    IFN_Q8_K_NIBBLES
} ifn_q8_scales;

typedef struct ifn_q8_format {
    ifn_dtype dtype;
    int bits;        /* of a packed code */
    int offset;      /* code = packed code - offset */
    int groups;      /* scales per block of 32 activations */
    bool has_min;    /* as many minima, which are added */
    int unit;        /* blocks per unit of scales */
    int scale_bytes; /* of a unit, per row */
    ifn_q8_scales scales;
} ifn_q8_format;

/* X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles). tiles: the format whose
 * kernels for many rows this format uses; those kernels differ only in groups, minima and how many products
 * fit into 16 bits. */
/* clang-format off */
#define IFN_Q8_FORMATS(X)                                         \
    X(Q8_0, 8, DOT_WIDE_OFFSET, 1, 0, 1,  2, F16,       Q8_0)     \
    X(Q4_0, 4,               8, 1, 0, 1,  2, F16,       Q4_0)     \
    X(Q4_1, 4,               0, 1, 1, 1,  4, F16_MIN,   Q4_1)     \
    X(Q5_0, 5,              16, 1, 0, 1,  2, F16,       Q5_0)     \
    X(Q5_1, 5,               0, 1, 1, 1,  4, F16_MIN,   Q5_1)     \
    X(Q2_K, 2,               0, 2, 1, 8, 20, K_NIBBLES, Q2_K)     \
    X(Q3_K, 3,               4, 2, 0, 8, 18, K_SIGNED,  Q6_K)     \
    X(Q4_K, 4,               0, 1, 1, 8, 20, K_AFFINE,  Q4_1)     \
    X(Q5_K, 5,               0, 1, 1, 8, 20, K_AFFINE,  Q5_1)     \
    X(Q6_K, 6,              32, 2, 0, 8, 18, K_SIGNED,  Q6_K)
/* clang-format on */

/* format_Q4_0, ...: constants that kernels are compiled for. */
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    __attribute__((unused)) static const ifn_q8_format format_##NAME = {                           \
        IFN_DTYPE_##NAME, bits, offset, groups, has_min, unit, scale_bytes, IFN_Q8_##scales};
IFN_Q8_FORMATS(X)
#undef X

enum {
    VEC_BYTES = 4 * VL,
    Q8_CODE_BYTES = 8 * VEC_BYTES, /* of a block of 32, unpacked */
    Q8_CHUNK = 16, /* blocks unpacked at a time: two units, whose scales fill whole vectors */
    Q8_SCALES_MAX = 20
};

/*
 * With FMA, converting the integers to float costs no operation: a sum I that begins with the bits of
 * 1.5 * 2^23 instead of 0 is, read as a float, 1.5 * 2^23 + I while |I| < 2^22, and
 * fma(scale, that, -1.5 * 2^23 * scale) is scale * I, rounded once. All formats stay below 2^22
 * (numerics 8.1, "integer", without the scales of K formats), and 1.5 * 2^23 * scale is exact: a scale has
 * at most 19 bits.
 */
enum { Q8_MAGIC = VEC_HAS_FMA ? 0x4b400000 : 0 };

static inline vf ifn_q8_shift(vf scale)
{
    return vf_mul(scale, vf_set(-0x1.8p23f));
}

/* A chunk of a panel with its codes unpacked, one byte each, and its scales in f32. */
typedef struct ifn_q8_chunk {
    uint8_t codes[Q8_CHUNK * Q8_CODE_BYTES];
    float scale[Q8_CHUNK * 2 * VL], min[Q8_CHUNK * 2 * VL]; /* [block][group][row] */
    float shift[Q8_CHUNK * VL];                             /* of group 0 */
} ifn_q8_chunk;

/* Bytes of the scales of n blocks, padded to whole vectors. */
static inline size_t ifn_q8_scales_bytes(const ifn_q8_format *f, int64_t n)
{
    const size_t bytes = (size_t)(n / f->unit) * (size_t)f->scale_bytes * VL;
    return (bytes + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
}

/* Bytes of a panel's first n blocks, where n is a multiple of Q8_CHUNK or all of them; also the offset of the
 * chunk that begins at block n. */
static inline size_t ifn_q8_bytes(const ifn_q8_format *f, int64_t n)
{
    return ifn_q8_scales_bytes(f, n) + (size_t)n * (size_t)f->bits * VEC_BYTES;
}

#endif
