/* Makes panels of raw rows, unpacked a chunk at a time or packed once, and decodes packed rows to f32. */
#include "block_kernels.h"

#include "block_codes.h"
#include "bytes.h"
#include "f16.h"
#include "kquant_scales.h"
#include "turn.h"

/* The address of a member of the block at p; blocks of a mapped file may have any alignment. */
#define MEMBER(p, type, member) ((p) + offsetof(ifn_block_##type, member))

static void nibbles(const uint8_t *restrict qs, uint8_t *restrict q)
{
    for (int j = 0; j < 16; j++) {
        q[j] = qs[j] & 15;
        q[j + 16] = qs[j] >> 4;
    }
}

/* Bit j for code j. */
static void add_fifth_bits(const uint8_t *restrict qh, uint8_t *restrict q)
{
    const uint32_t high = ifn_load_u32le(qh);
    for (int j = 0; j < 32; j++)
        q[j] = (uint8_t)(q[j] | (high >> j & 1) << 4);
}

/* q[j] |= `width` bits of p[j] from bit `from` on, moved to bit `at`. */
static void add_bits(const uint8_t *restrict p, int from, int width, int at, uint8_t *restrict q)
{
    const unsigned mask = (1u << width) - 1;
    for (int j = 0; j < 32; j++)
        q[j] = (uint8_t)(q[j] | ((unsigned)p[j] >> from & mask) << at);
}

/* Extracts the 32 codes of a block of 32, which lie at its end: bytes, or nibbles with the fifth bits before them. */
static void raw_codes_of_32(const ifn_q8_format *f, const uint8_t *restrict p, uint8_t *restrict q)
{
    const uint8_t *const end = p + ifn_dtype_block_bytes(f->dtype);
    if (f->bits == 8) {
        for (int j = 0; j < 32; j++)
            q[j] = (end - 32)[j] ^ DOT_WIDE_FLIP;
        return;
    }
    nibbles(end - 16, q);
    if (f->bits == 5)
        add_fifth_bits(end - 20, q);
}

/* Extracts the codes of sub-block b of the block of 256 at p. src/quant/<dtype>.c describes the layout of bits. */
static void raw_codes_of_256(ifn_dtype dtype, const uint8_t *restrict p, int b, uint8_t *restrict q)
{
    memset(q, 0, 32);
    switch (dtype) {
    case IFN_DTYPE_Q2_K:
        add_bits(MEMBER(p, q2_k, qs) + 32 * (b / 4), 2 * (b % 4), 2, 0, q);
        break;
    case IFN_DTYPE_Q3_K:
        add_bits(MEMBER(p, q3_k, qs) + 32 * (b / 4), 2 * (b % 4), 2, 0, q);
        add_bits(MEMBER(p, q3_k, hmask), b, 1, 2, q);
        break;
    case IFN_DTYPE_Q4_K:
        add_bits(MEMBER(p, q4_k, qs) + 32 * (b / 2), 4 * (b % 2), 4, 0, q);
        break;
    case IFN_DTYPE_Q5_K:
        add_bits(MEMBER(p, q5_k, qs) + 32 * (b / 2), 4 * (b % 2), 4, 0, q);
        add_bits(MEMBER(p, q5_k, qh), b, 1, 4, q);
        break;
    case IFN_DTYPE_Q6_K:
        add_bits(MEMBER(p, q6_k, ql) + 64 * (b / 4) + 32 * (b % 2), 4 * (b % 4 / 2), 4, 0, q);
        add_bits(MEMBER(p, q6_k, qh) + 32 * (b / 4), 2 * (b % 4), 2, 4, q);
        break;
    default:
        break;
    }
}

/* Stores value i of a unit of scales for the row in this lane. */
static void put_f16(uint8_t *unit, int i, int lane, const uint8_t *from, unsigned sign)
{
    const uint16_t half = (uint16_t)(ifn_load_u16le(from) ^ sign);
    memcpy(unit + 2 * (VL * i + lane), &half, sizeof half);
}

static void put_bytes(uint8_t *bytes, int n, int lane, const uint8_t *from)
{
    for (int i = 0; i < n; i++)
        bytes[VL * i + lane] = from[i];
}

static void put_affine(uint8_t *bytes, int lane, const uint8_t packed[12])
{
    uint8_t scale[8], min[8];
    ifn_unpack_scales(packed, scale, min);
    put_bytes(bytes, 8, lane, scale);
    put_bytes(bytes + 8 * VL, 8, lane, min);
}

static void put_q3_k(uint8_t *bytes, int lane, const uint8_t packed[12])
{
    for (int g = 0; g < 16; g++)
        bytes[VL * g + lane] = (uint8_t)ifn_q3_k_scale(packed, g);
}

/* Stores the scales of the block at p in their lane of a unit. The minimum follows the scale; kernels add it, K formats
 * subtract it, so the sign of theirs is flipped. */
static void put_scales(const ifn_q8_format *f, const uint8_t *p, int lane, uint8_t *unit)
{
    static const size_t scales[IFN_DTYPE_COUNT] = {
#define X(NAME, name) [IFN_DTYPE_##NAME] = offsetof(ifn_block_##name, d),
        IFN_BLOCK_DTYPES(X)
#undef X
    };
    const ifn_dtype dtype = f->dtype;
    put_f16(unit, 0, lane, p + scales[dtype], 0);
    if (f->has_min)
        put_f16(unit, 1, lane, p + scales[dtype] + 2, f->unit == 1 ? 0 : 0x8000);
    if (dtype == IFN_DTYPE_Q4_K)
        put_affine(unit + 4 * VL, lane, MEMBER(p, q4_k, scales));
    if (dtype == IFN_DTYPE_Q5_K)
        put_affine(unit + 4 * VL, lane, MEMBER(p, q5_k, scales));
    if (dtype == IFN_DTYPE_Q2_K)
        put_bytes(unit + 4 * VL, 16, lane, MEMBER(p, q2_k, scales));
    if (dtype == IFN_DTYPE_Q3_K)
        put_q3_k(unit + 2 * VL, lane, MEMBER(p, q3_k, scales));
    if (dtype == IFN_DTYPE_Q6_K)
        put_bytes(unit + 2 * VL, 16, lane, MEMBER(p, q6_k, scales));
}

/* The rows of one panel in the file. */
typedef struct raw_panel {
    const uint8_t *rows;
    size_t row_bytes, block_bytes;
    int64_t n; /* how many of the VL rows exist */
} raw_panel;

static raw_panel panel_at(const ifn_tensor *w, int64_t row)
{
    const int64_t n = w->shape[0] - row;
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, w->shape[1]);
    return (raw_panel){(const uint8_t *)w->data + (size_t)row * row_bytes, row_bytes,
                       ifn_dtype_block_bytes(w->dtype), n < VL ? n : VL};
}

static const uint8_t *block_at(const raw_panel *p, int64_t lane, int64_t block)
{
    return p->rows + (size_t)lane * p->row_bytes + (size_t)block * p->block_bytes;
}

/* Writes blocks [b, b + n) of 32 of every row, each as the eight vectors of a dot; n is at most Q8_CHUNK. */
static void interleave_codes(const ifn_q8_format *f, const raw_panel *p, int64_t b, int64_t n,
                             uint8_t *out)
{
    _Alignas(64) uint8_t rows[VL][Q8_CHUNK * 32];
    for (int64_t lane = 0; lane < p->n; lane++) {
        const uint8_t *block = block_at(p, lane, b / f->unit);
        int sub = (int)(b % f->unit);
        for (int64_t i = 0; i < n; i++) {
            if (f->unit == 1)
                raw_codes_of_32(f, block, rows[lane] + 32 * i);
            else
                raw_codes_of_256(f->dtype, block, sub, rows[lane] + 32 * i);
            if (++sub == f->unit) {
                sub = 0;
                block += p->block_bytes;
            }
        }
    }
    turn((const float *)(const void *)rows, Q8_CHUNK * 8, p->n, n * 8, (float *)(void *)out, VL);
}

static void interleave_scales(const ifn_q8_format *f, const raw_panel *p, int64_t block,
                              uint8_t *unit)
{
    memset(unit, 0, (size_t)f->scale_bytes * VL);
    for (int64_t lane = 0; lane < p->n; lane++)
        put_scales(f, block_at(p, lane, block), (int)lane, unit);
}

void IFN_KERNEL(q8_unpack_raw)(const ifn_q8_format *f, const ifn_tensor *w, int64_t row,
                               int64_t from, int64_t n, ifn_q8_chunk *out)
{
    const raw_panel p = panel_at(w, row);
    uint8_t unit[Q8_SCALES_MAX * VL];
    interleave_codes(f, &p, from, n, out->codes);
    for (int64_t i = 0; i < n; i++) {
        const int64_t b = from + i;
        if (b % f->unit == 0)
            interleave_scales(f, &p, b / f->unit, unit);
        const ifn_q8_factors factors = ifn_q8_factors_of(unit, f->scales, (int)(b % f->unit));
        for (int g = 0; g < f->groups; g++) {
            vf_store(out->scale + (i * f->groups + g) * VL, factors.scale[g]);
            vf_store(out->min + (i * f->groups + g) * VL, factors.min[g]);
        }
        vf_store(out->shift + i * VL, ifn_q8_shift(factors.scale[0]));
    }
}

/* Packs `width` bits of each code, from bit `from` on, into a plane that is all zeros. */
static void pack_plane(const uint8_t *codes, int from, int width, uint8_t *plane)
{
    const unsigned mask = (1u << width) - 1;
    for (int j = 0; j < 8; j++) {
        uint8_t *const out = plane + j % width * VEC_BYTES;
        const int at = width * (j / width);
        for (int i = 0; i < VEC_BYTES; i++)
            out[i] = (uint8_t)(out[i] | ((unsigned)codes[j * VEC_BYTES + i] >> from & mask) << at);
    }
}

static void pack_codes(const uint8_t *codes, int bits, uint8_t *out)
{
    memset(out, 0, (size_t)bits * VEC_BYTES);
    const int low = bits == 8 ? 8 : bits < 4 ? 2 : 4;
    pack_plane(codes, 0, low, out);
    if (bits > low)
        pack_plane(codes, low, bits - low, out + low * VEC_BYTES);
}

static void pack_panel(const ifn_q8_format *f, const raw_panel *p, int64_t n_blocks, uint8_t *out)
{
    for (int64_t b = 0; b < n_blocks; b += Q8_CHUNK) {
        const int64_t n = n_blocks - b < Q8_CHUNK ? n_blocks - b : Q8_CHUNK;
        _Alignas(64) uint8_t codes[Q8_CHUNK * Q8_CODE_BYTES];
        memset(out, 0, ifn_q8_scales_bytes(f, n));
        for (int64_t i = 0; i < n; i += f->unit)
            interleave_scales(f, p, (b + i) / f->unit, out + i / f->unit * f->scale_bytes * VL);
        out += ifn_q8_scales_bytes(f, n);
        interleave_codes(f, p, b, n, codes);
        for (int64_t i = 0; i < n; i++)
            pack_codes(codes + i * Q8_CODE_BYTES, f->bits, out + i * f->bits * VEC_BYTES);
        out += n * f->bits * VEC_BYTES;
    }
}

static size_t packed_bytes(const ifn_tensor *w, uint32_t uses)
{
    (void)uses;
    const ifn_q8_format *const f = IFN_KERNEL(q8_format_of)(w->dtype);
    if (!f || w->n_dims != 2)
        return 0;
    const int64_t n_panels = (w->shape[0] + VL - 1) / VL;
    return (size_t)n_panels * ifn_q8_bytes(f, w->shape[1] / 32);
}

static void pack(const ifn_tensor *w, void *out)
{
    const ifn_q8_format *const f = IFN_KERNEL(q8_format_of)(w->dtype);
    const int64_t n_blocks = w->shape[1] / 32;
    uint8_t *at = out;
    for (int64_t row = 0; row < w->shape[0]; row += VL) {
        const raw_panel p = panel_at(w, row);
        pack_panel(f, &p, n_blocks, at);
        at += ifn_q8_bytes(f, n_blocks);
    }
}

/* Decodes a lane of an unpacked block. Products are exact and a minimum rounds once, so the bits are those of the raw
 * row. */
static void lane_of_block(const ifn_q8_format *f, const ifn_q8_chunk *chunk, const uint8_t *codes,
                          int64_t b, int64_t lane, float *out)
{
    for (int j = 0; j < 32; j++) {
        const uint8_t code = codes[b * Q8_CODE_BYTES + j / 4 * VEC_BYTES + 4 * lane + j % 4];
        const int q = f->bits == 8 ? (int8_t)(code ^ DOT_WIDE_FLIP) : code - f->offset;
        const int64_t at = (b * f->groups + j * f->groups / 32) * VL + lane;
        const float product = chunk->scale[at] * (float)q;
        out[j] = f->has_min ? product + chunk->min[at] : product;
    }
}

static void unpack_row(const ifn_tensor *w, const void *packed, int64_t row, float *out)
{
    const ifn_q8_format *const f = IFN_KERNEL(q8_format_of)(w->dtype);
    const ifn_q8_kernels *const kernels = IFN_KERNEL(q8_kernels_of)(w->dtype);
    const int64_t n_blocks = w->shape[1] / 32;
    const uint8_t *const panel =
        (const uint8_t *)packed + (size_t)(row / VL) * ifn_q8_bytes(f, n_blocks);
    _Alignas(64) ifn_q8_chunk chunk;
    for (int64_t from = 0; from < n_blocks; from += Q8_CHUNK) {
        const int64_t n = n_blocks - from < Q8_CHUNK ? n_blocks - from : Q8_CHUNK;
        const uint8_t *const at = panel + ifn_q8_bytes(f, from);
        kernels->unpack(at, n, &chunk);
        const uint8_t *const codes = f->bits == 8 ? at + ifn_q8_scales_bytes(f, n) : chunk.codes;
        for (int64_t b = 0; b < n; b++)
            lane_of_block(f, &chunk, codes, b, row % VL, out + 32 * (from + b));
    }
}

const ifn_simd_packing IFN_KERNEL(q8_packing) = {
    .bytes = packed_bytes, .pack = pack, .row = unpack_row};
