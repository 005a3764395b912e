/*
 * Reads and writes rows of the storage dtype DTYPE, 32 elements at a time. In every quantized format, 32
 * weights that begin at a multiple of 32 are
 *
 *     w[i] = d * scale[i / 16] * q[i] - m * min[i / 16]
 *
 * All products are exact. A format without a scale has 1 there; one without minima has m = 0. The
 * layouts are drawn in src/quant/<dtype>.c; the written bytes are pinned by numerics 8.2 and 8.3.
 */
typedef struct piece {
    float d, m;
    int scale[2], min[2];
    char q[PIECE];
} piece;

void set_plain(piece *out, const float d, const float m)
{
    out->d = d;
    out->m = m;
    out->scale[0] = out->scale[1] = 1;
    out->min[0] = out->min[1] = 1;
}

#if DTYPE == Q4_0 || DTYPE == Q4_1 || DTYPE == Q5_0 || DTYPE == Q5_1
/* Unpacks 16 bytes: the low nibble is weight i, the high one weight i + 16; `high` has the fifth bit of each. */
void set_nibbles(piece *out, __global const uchar *qs, const uint high, const int zero)
{
    for (uint i = 0; i < 16; i++) {
        out->q[i] = (char)((int)((qs[i] & 15u) | (high >> i & 1u) << 4) - zero);
        out->q[i + 16] = (char)((int)((uint)qs[i] >> 4 | (high >> (i + 16) & 1u) << 4) - zero);
    }
}
#endif

#if DTYPE == Q4_K || DTYPE == Q5_K
/* The packing of scales and minima is drawn in src/quant/kquant_scales.h. */
void set_packed_scales(piece *out, __global const uchar *packed, const uint g)
{
    if (g < 4) {
        out->scale[0] = packed[g] & 63;
        out->min[0] = packed[g + 4] & 63;
    } else {
        out->scale[0] = (packed[g + 4] & 15) | packed[g - 4] >> 6 << 4;
        out->min[0] = packed[g + 4] >> 4 | packed[g] >> 6 << 4;
    }
    out->scale[1] = out->scale[0];
    out->min[1] = out->min[0];
}
#endif

#define F16_NAN 0x7e00u

/* Returns the element of largest magnitude, the first of several. A NaN is larger than everything. */
float largest_of(const float *x)
{
    float largest = x[0];
    for (uint i = 1; i < PIECE; i++)
        if ((as_uint(x[i]) & 0x7fffffffu) > (as_uint(largest) & 0x7fffffffu))
            largest = x[i];
    return largest;
}

uint f16_or_nan(const float value)
{
    const uint bits = f32_to_f16(value);
    return (bits & 0x7c00u) == 0x7c00u ? F16_NAN : bits;
}

bool is_usable(const uint bits)
{
    return (bits & 0x7fffu) != 0 && bits != F16_NAN;
}

uint clamped(const int q, const int most)
{
    return (uint)(q < 0 ? 0 : q < most ? q : most);
}

/* Stores codes of five bits, or of four if high_bits is null. */
void store_nibbles(__global uchar *qs, __global uchar *high_bits, const uint *q)
{
    uint high = 0;
    for (uint i = 0; i < 16; i++) {
        qs[i] = (uchar)((q[i] & 15u) | (q[i + 16] & 15u) << 4);
        high |= q[i] >> 4 << i | q[i + 16] >> 4 << (i + 16);
    }
    if (high_bits)
        store_u32(high_bits, high);
}

/* Q4_0 and Q5_0: the element of largest magnitude becomes code 0. */
void encode_signed(const float *x, const int zero, __global uchar *out, __global uchar *high,
                   __global uchar *qs)
{
    uint q[PIECE];
    const float d = largest_of(x) / (float)-zero;
    uint stored = f16_or_nan(d);
    float id = is_usable(stored) ? 1.0f / d : 0.0f;
    for (uint i = 0; i < PIECE; i++)
        q[i] = stored == F16_NAN
                   ? 0
                   : clamped((int)((is_usable(stored) ? x[i] * id : 0.0f) + ((float)zero + 0.5f)),
                             2 * zero - 1);
    if (!is_usable(stored) && stored != F16_NAN)
        stored = 0x8000u;
    store_u16(out, stored);
    store_nibbles(qs, high, q);
}

/* Q4_1 and Q5_1: the smallest element becomes code 0, the largest the last code. */
void encode_minimum(const float *x, const int steps, __global uchar *out, __global uchar *high,
                    __global uchar *qs)
{
    uint q[PIECE];
    float lo = x[0], hi = x[0];
    for (uint i = 1; i < PIECE; i++) {
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    const float d = (hi - lo) / (float)steps;
    uint stored_d = f16_or_nan(d), stored_m = f16_or_nan(lo);
    if (!isfinite(largest_of(x)) || stored_d == F16_NAN || stored_m == F16_NAN) {
        stored_d = F16_NAN;
        stored_m = 0;
    }
    const float id = is_usable(stored_d) ? 1.0f / d : 0.0f;
    for (uint i = 0; i < PIECE; i++)
        q[i] = is_usable(stored_d) ? clamped((int)((x[i] - lo) * id + 0.5f), steps) : 0;
    store_u16(out, stored_d);
    store_u16(out + 2, stored_m);
    store_nibbles(qs, high, q);
}

#if DTYPE == F32
#define PIECE_BYTES 128
void store_values(__global uchar *out, const float *x, const uint n)
{
    for (uint i = 0; i < n; i++)
        store_u32(out + 4 * i, as_uint(x[i]));
}

void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 4;
    for (uint i = 0; i < n; i++)
        out[i] = as_float(load_u32(row + 4 * i));
}
#elif DTYPE == F16
#define PIECE_BYTES 64
void store_values(__global uchar *out, const float *x, const uint n)
{
    for (uint i = 0; i < n; i++)
        store_u16(out + 2 * i, f32_to_f16(x[i]));
}

void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 2;
    for (uint i = 0; i < n; i++)
        out[i] = load_f16(row + 2 * i);
}
#elif DTYPE == BF16
#define PIECE_BYTES 64
void store_values(__global uchar *out, const float *x, const uint n)
{
    for (uint i = 0; i < n; i++) {
        const uint bits = as_uint(x[i]);
        const uint is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
        store_u16(out + 2 * i,
                  is_nan ? bits >> 16 | 0x0040u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
    }
}

void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 2;
    for (uint i = 0; i < n; i++)
        out[i] = as_float(load_u16(row + 2 * i) << 16);
}
#elif DTYPE == Q8_0
#define BLOCK_BYTES 34
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)p[2 + i];
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    const float d = fabs(largest_of(x)) / 127.0f;
    const uint stored = f16_or_nan(d);
    const float id = 1.0f / d;
    store_u16(out, stored);
    for (uint i = 0; i < PIECE; i++)
        out[2 + i] = is_usable(stored) ? (uchar)(int)round(x[i] * id) : 0;
}
#elif DTYPE == Q8_32F
#define BLOCK_BYTES 40
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, as_float(load_u32(p)), 0.0f);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)p[8 + i];
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    const float amax = fabs(largest_of(x));
    const bool is_finite = amax < INFINITY, is_zero = amax < 0x1p-118f;
    const float id = 127.0f / amax, d = amax / 127.0f;
    int sum = 0;
    for (uint i = 0; i < PIECE; i++) {
        const int q = is_finite && !is_zero ? (int)rint(x[i] * id) : 0;
        out[8 + i] = (uchar)q;
        sum += q;
    }
    store_u32(out, !is_finite ? 0x7fc00000u : is_zero ? 0u : as_uint(d));
    store_u32(out + 4, (uint)sum);
}
#elif DTYPE == Q4_0
#define BLOCK_BYTES 18
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    set_nibbles(out, p + 2, 0, 8);
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_signed(x, 8, out, 0, out + 2);
}
#elif DTYPE == Q4_1
#define BLOCK_BYTES 20
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), -load_f16(p + 2));
    set_nibbles(out, p + 4, 0, 0);
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_minimum(x, 15, out, 0, out + 4);
}
#elif DTYPE == Q5_0
#define BLOCK_BYTES 22
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    set_nibbles(out, p + 6, load_u32(p + 2), 16);
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_signed(x, 16, out, out + 2, out + 6);
}
#elif DTYPE == Q5_1
#define BLOCK_BYTES 24
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), -load_f16(p + 2));
    set_nibbles(out, p + 8, load_u32(p + 4), 0);
}

void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_minimum(x, 31, out, out + 4, out + 8);
}
#elif DTYPE == Q2_K
#define BLOCK_BYTES 84
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    out->d = load_f16(p + 80);
    out->m = load_f16(p + 82);
    for (uint g = 0; g < 2; g++) {
        out->scale[g] = p[2 * b + g] & 15;
        out->min[g] = p[2 * b + g] >> 4;
    }
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)(p[16 + 32 * (b / 4) + i] >> 2 * (b % 4) & 3);
}
#elif DTYPE == Q3_K
#define BLOCK_BYTES 110
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    out->d = load_f16(p + 108);
    out->m = 0.0f;
    for (uint i = 0; i < 2; i++) {
        const uint g = 2 * b + i;
        const uint low = p[96 + g % 8] >> (g < 8 ? 0 : 4) & 15;
        const uint high = p[104 + g % 4] >> 2 * (g / 4) & 3;
        out->scale[i] = (int)(low | high << 4) - 32;
        out->min[i] = 0;
    }
    for (uint i = 0; i < PIECE; i++) {
        const uint low = p[32 + 32 * (b / 4) + i] >> 2 * (b % 4) & 3;
        out->q[i] = (char)((int)(low | (p[i] >> b & 1) << 2) - 4);
    }
}
#elif DTYPE == Q4_K
#define BLOCK_BYTES 144
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    out->d = load_f16(p);
    out->m = load_f16(p + 2);
    set_packed_scales(out, p + 4, b);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)(p[16 + 32 * (b / 2) + i] >> 4 * (b % 2) & 15);
}
#elif DTYPE == Q5_K
#define BLOCK_BYTES 176
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    out->d = load_f16(p);
    out->m = load_f16(p + 2);
    set_packed_scales(out, p + 4, b);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)((p[48 + 32 * (b / 2) + i] >> 4 * (b % 2) & 15) | (p[16 + i] >> b & 1) << 4);
}
#elif DTYPE == Q6_K
#define BLOCK_BYTES 210
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    const uint half_of = b / 4, quarter = b % 4;
    out->d = load_f16(p + 208);
    out->m = 0.0f;
    for (uint g = 0; g < 2; g++) {
        out->scale[g] = (char)p[192 + 2 * b + g];
        out->min[g] = 0;
    }
    for (uint i = 0; i < PIECE; i++) {
        const uint low = p[64 * half_of + 32 * (quarter % 2) + i] >> 4 * (quarter / 2) & 15;
        const uint high = p[128 + 32 * half_of + i] >> 2 * quarter & 3;
        out->q[i] = (char)((int)(low | high << 4) - 32);
    }
}
#endif

#ifdef BLOCK_BYTES
/* The number of pieces in a block. */
#define PIECES (DTYPE >= Q2_K && DTYPE <= Q6_K ? 8 : 1)
#if PIECES == 1
#define PIECE_BYTES BLOCK_BYTES
#endif

void load_piece_of_row(__global const uchar *row, const ulong at, piece *out)
{
    load_piece(row + at / PIECES * BLOCK_BYTES, (uint)(at % PIECES), out);
}

/* Reads elements 32 * at .. 32 * at + n - 1 of a row; n is 32 here. */
void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    piece p;
    load_piece_of_row(row, at, &p);
    for (uint i = 0; i < PIECE; i++)
        out[i] = p.d * (float)p.scale[i / 16] * (float)p.q[i] - p.m * (float)p.min[i / 16];
}
#endif
