/*
 * 32 elements at a time in the storage dtype DTYPE: the encoders that are pinned, numerics 8.2 and
 * 8.3. The prose is in src/quant/<dtype>.c.
 */
#define F16_NAN 0x7e00u

/* The first of largest magnitude. A NaN is larger than everything. */
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

/* Codes of five bits, or of four where there is no place for the fifth ones. */
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

/* Q4_1 and Q5_1: the smallest element becomes code 0, the largest the last. */
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
#elif DTYPE == F16
#define PIECE_BYTES 64
void store_values(__global uchar *out, const float *x, const uint n)
{
    for (uint i = 0; i < n; i++)
        store_u16(out + 2 * i, f32_to_f16(x[i]));
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
#elif DTYPE == Q8_0
#define PIECE_BYTES 34
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
#define PIECE_BYTES 40
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
#define PIECE_BYTES 18
void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_signed(x, 8, out, 0, out + 2);
}
#elif DTYPE == Q4_1
#define PIECE_BYTES 20
void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_minimum(x, 15, out, 0, out + 4);
}
#elif DTYPE == Q5_0
#define PIECE_BYTES 22
void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_signed(x, 16, out, out + 2, out + 6);
}
#elif DTYPE == Q5_1
#define PIECE_BYTES 24
void store_values(__global uchar *out, const float *x, const uint n)
{
    encode_minimum(x, 31, out, out + 4, out + 8);
}
#endif
