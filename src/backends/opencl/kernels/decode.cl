/*
 * Rows of the storage dtype DTYPE, read 32 elements at a time. Every quantized format is, for 32
 * weights that begin at a multiple of 32,
 *
 *     w[i] = d * scale[i / 16] * q[i] - m * min[i / 16]
 *
 * with products that are exact, and zeros and ones for what it does not have. The layouts are drawn
 * in src/quant/<dtype>.c.
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
/* Nibbles of 16 bytes, weight i low and i + 16 high, and a fifth bit of each. */
void set_nibbles(piece *out, __global const uchar *qs, const uint high, const int zero)
{
    for (uint i = 0; i < 16; i++) {
        out->q[i] = (char)((int)((qs[i] & 15u) | (high >> i & 1u) << 4) - zero);
        out->q[i + 16] = (char)((int)((uint)qs[i] >> 4 | (high >> (i + 16) & 1u) << 4) - zero);
    }
}
#endif

#if DTYPE == Q4_K || DTYPE == Q5_K
/* src/quant/kquant_scales.h */
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

#if DTYPE == Q8_0
#define BLOCK_BYTES 34
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)p[2 + i];
}
#elif DTYPE == Q8_32F
#define BLOCK_BYTES 40
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, as_float(load_u32(p)), 0.0f);
    for (uint i = 0; i < PIECE; i++)
        out->q[i] = (char)p[8 + i];
}
#elif DTYPE == Q4_0
#define BLOCK_BYTES 18
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    set_nibbles(out, p + 2, 0, 8);
}
#elif DTYPE == Q4_1
#define BLOCK_BYTES 20
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), -load_f16(p + 2));
    set_nibbles(out, p + 4, 0, 0);
}
#elif DTYPE == Q5_0
#define BLOCK_BYTES 22
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), 0.0f);
    set_nibbles(out, p + 6, load_u32(p + 2), 16);
}
#elif DTYPE == Q5_1
#define BLOCK_BYTES 24
void load_piece(__global const uchar *p, const uint b, piece *out)
{
    set_plain(out, load_f16(p), -load_f16(p + 2));
    set_nibbles(out, p + 8, load_u32(p + 4), 0);
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
/* Pieces of a block. */
#define PIECES (DTYPE >= Q2_K && DTYPE <= Q6_K ? 8 : 1)

void load_piece_of_row(__global const uchar *row, const ulong at, piece *out)
{
    load_piece(row + at / PIECES * BLOCK_BYTES, (uint)(at % PIECES), out);
}

/* Elements 32 at .. 32 at + n - 1 of a row; n is 32. */
void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    piece p;
    load_piece_of_row(row, at, &p);
    for (uint i = 0; i < PIECE; i++)
        out[i] = p.d * (float)p.scale[i / 16] * (float)p.q[i] - p.m * (float)p.min[i / 16];
}
#elif DTYPE == F32
void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 4;
    for (uint i = 0; i < n; i++)
        out[i] = as_float(load_u32(row + 4 * i));
}
#elif DTYPE == F16
void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 2;
    for (uint i = 0; i < n; i++)
        out[i] = load_f16(row + 2 * i);
}
#elif DTYPE == BF16
void load_values(__global const uchar *row, const ulong at, const uint n, float *out)
{
    row += at * PIECE * 2;
    for (uint i = 0; i < n; i++)
        out[i] = as_float(load_u16(row + 2 * i) << 16);
}
#endif
