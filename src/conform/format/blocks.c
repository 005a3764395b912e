/*
 * A block is a string of bits: bit b of byte n has the address 8n + b, and a field is an address
 * and a width. Where each field of element i lies is said once per dtype, in places_of; reading and
 * writing both go through it.
 */
#include "blocks.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct field {
    int at, bits; /* bits 0: there is none */
} field;

/* A number is split in at most two fields: its low bits and what stands above them. */
typedef struct places {
    field c_low, c_high, sc_low, sc_high, m_low, m_high;
    field d, dmin; /* f16 */
    int c_offset, sc_offset;
} places;

static field bits_at(int byte, int shift, int bits)
{
    return (field){8 * byte + shift, bits};
}

static field half_at(int byte)
{
    return (field){8 * byte, 16};
}

/* Two nibbles to a byte: the low ones are weights 0 .. 15, the high ones 16 .. 31. */
static field nibble_of_32(int first_byte, int i)
{
    return bits_at(first_byte + i % 16, 4 * (i / 16), 4);
}

/* Four 2-bit fields to a byte, 32 weights apart, 128 weights to 32 bytes. */
static field pair_of_bits(int first_byte, int i)
{
    return bits_at(first_byte + 32 * (i / 128) + i % 32, 2 * (i / 32 % 4), 2);
}

/* The eight 6-bit scales and minima of Q4_K and Q5_K, in bytes 4 .. 15. */
static void place_sixes(places *p, int group)
{
    if (group < 4) {
        p->sc_low = bits_at(4 + group, 0, 6);
        p->m_low = bits_at(8 + group, 0, 6);
        return;
    }
    p->sc_low = bits_at(8 + group, 0, 4);
    p->sc_high = bits_at(group, 6, 2);
    p->m_low = bits_at(8 + group, 4, 4);
    p->m_high = bits_at(4 + group, 6, 2);
}

static places places_of_32(ifn_dtype dtype, int i)
{
    places p = {.d = half_at(0)};
    switch (dtype) {
    case IFN_DTYPE_Q4_0:
        p.c_low = nibble_of_32(2, i);
        p.c_offset = 8;
        break;
    case IFN_DTYPE_Q4_1:
        p.dmin = half_at(2);
        p.c_low = nibble_of_32(4, i);
        break;
    case IFN_DTYPE_Q5_0:
        p.c_high = bits_at(2, i, 1);
        p.c_low = nibble_of_32(6, i);
        p.c_offset = 16;
        break;
    case IFN_DTYPE_Q5_1:
        p.dmin = half_at(2);
        p.c_high = bits_at(4, i, 1);
        p.c_low = nibble_of_32(8, i);
        break;
    default: /* Q8_0, Q8_32F: whole bytes, read as two's complement by the caller */
        p.c_low = bits_at(dtype == IFN_DTYPE_Q8_0 ? 2 + i : 8 + i, 0, 8);
    }
    return p;
}

static places places_of_256(ifn_dtype dtype, int i)
{
    places p = {0};
    switch (dtype) {
    case IFN_DTYPE_Q2_K:
        p.d = half_at(80);
        p.dmin = half_at(82);
        p.sc_low = bits_at(i / 16, 0, 4);
        p.m_low = bits_at(i / 16, 4, 4);
        p.c_low = pair_of_bits(16, i);
        break;
    case IFN_DTYPE_Q3_K:
        p.d = half_at(108);
        p.c_low = pair_of_bits(32, i);
        p.c_high = bits_at(i % 32, i / 32, 1);
        p.c_offset = 4;
        p.sc_low = bits_at(96 + i / 16 % 8, 4 * (i / 128), 4);
        p.sc_high = bits_at(104 + i / 16 % 4, 2 * (i / 64), 2);
        p.sc_offset = 32;
        break;
    case IFN_DTYPE_Q6_K:
        p.d = half_at(208);
        p.c_low = bits_at(64 * (i / 128) + i % 64, 4 * (i / 64 % 2), 4);
        p.c_high = pair_of_bits(128, i);
        p.c_offset = 32;
        p.sc_low = bits_at(192 + i / 16, 0, 8);
        break;
    default: /* Q4_K, Q5_K */
        p.d = half_at(0);
        p.dmin = half_at(2);
        place_sixes(&p, i / 32);
        p.c_low = bits_at((dtype == IFN_DTYPE_Q5_K ? 48 : 16) + 32 * (i / 64) + i % 32,
                          4 * (i / 32 % 2), 4);
        if (dtype == IFN_DTYPE_Q5_K)
            p.c_high = bits_at(16 + i % 32, i / 32, 1);
    }
    return p;
}

/* Of every element of a block of every dtype, worked out once: each element of each weight asks. */
static places known[IFN_DTYPE_COUNT][256];
static pthread_once_t is_known = PTHREAD_ONCE_INIT;

static void know_all(void)
{
    for (int d = 0; d < IFN_DTYPE_COUNT; d++) {
        const int n = (int)ifn_dtype_block_elements((ifn_dtype)d);
        for (int i = 0; n > 1 && i < n; i++)
            known[d][i] = n == 32 ? places_of_32((ifn_dtype)d, i) : places_of_256((ifn_dtype)d, i);
    }
}

static const places *places_of(ifn_dtype dtype, int i)
{
    pthread_once(&is_known, know_all);
    return &known[dtype][i];
}

/* Of at most 16 bits, in one byte or in two. */
static unsigned get(const unsigned char *block, field f)
{
    const unsigned char *byte = block + f.at / 8;
    const int shift = f.at % 8;
    if (f.bits == 0)
        return 0;
    const unsigned next = shift + f.bits > 8 ? (unsigned)byte[1] << (8 - shift) : 0;
    return (((unsigned)byte[0] >> shift) | next) & ((1u << f.bits) - 1);
}

static void put(unsigned char *block, field f, unsigned value)
{
    unsigned bits = (value & ((1u << f.bits) - 1)) << f.at % 8;
    for (unsigned char *byte = block + f.at / 8; bits; bits >>= 8)
        *byte++ |= (unsigned char)bits;
}

static int get_split(const unsigned char *block, field low, field high)
{
    return (int)(get(block, low) | get(block, high) << low.bits);
}

static void put_split(unsigned char *block, field low, field high, int value)
{
    put(block, low, (unsigned)value);
    put(block, high, (unsigned)value >> low.bits);
}

/* Eight bits as two's complement; narrower fields are unsigned. */
static int as_signed(int value, field low)
{
    return low.bits == 8 && value > 127 ? value - 256 : value;
}

static double float_at(const unsigned char *p)
{
    float x;
    memcpy(&x, p, sizeof x);
    return (double)x;
}

static conform_code number(double value)
{
    return (conform_code){.d = value, .sc = 1, .m = 1, .c = 1};
}

static conform_code code_in_block(ifn_dtype dtype, const unsigned char *block, int i)
{
    const places *const p = places_of(dtype, i);
    conform_code out = {.sc = 1, .m = 1, .offset = p->c_offset};
    out.c = as_signed(get_split(block, p->c_low, p->c_high), p->c_low) - p->c_offset;
    out.d =
        dtype == IFN_DTYPE_Q8_32F ? float_at(block) : conform_f16_value((uint16_t)get(block, p->d));
    if (p->sc_low.bits)
        out.sc = as_signed(get_split(block, p->sc_low, p->sc_high), p->sc_low) - p->sc_offset;
    if (p->dmin.bits)
        out.dmin = conform_f16_value((uint16_t)get(block, p->dmin));
    if (p->m_low.bits)
        out.m = get_split(block, p->m_low, p->m_high);
    else if (p->dmin.bits)
        out.dmin = -out.dmin; /* the stored minimum of Q4_1 and Q5_1 is added */
    return out;
}

conform_code conform_code_at(ifn_dtype dtype, const void *row, int64_t i)
{
    const unsigned char *bytes = row;
    const int64_t n = ifn_dtype_block_elements(dtype);
    const unsigned char *block = bytes + (size_t)(i / n) * ifn_dtype_block_bytes(dtype);
    switch (dtype) {
    case IFN_DTYPE_F32:
        return number(float_at(block));
    case IFN_DTYPE_F16:
        return number(conform_f16_value((uint16_t)get(block, half_at(0))));
    case IFN_DTYPE_BF16:
        return number(conform_bf16_value((uint16_t)get(block, half_at(0))));
    default:
        return code_in_block(dtype, block, (int)(i % n));
    }
}

double conform_code_value(const conform_code *code)
{
    /* without a minimum this subtracts +0, which changes nothing, not even -0 */
    return code->d * code->sc * code->c - code->dmin * code->m;
}

double conform_value_at(ifn_dtype dtype, const void *row, int64_t i)
{
    const conform_code code = conform_code_at(dtype, row, i);
    return conform_code_value(&code);
}

int conform_block_is_valid(ifn_dtype dtype, const void *row, int64_t i)
{
    ifn_block_q8_32f block;
    int64_t sum = 0;
    int largest = 0;
    if (dtype != IFN_DTYPE_Q8_32F)
        return 1;
    memcpy(&block, (const unsigned char *)row + (size_t)(i / 32) * sizeof block, sizeof block);
    for (int j = 0; j < 32; j++) {
        const int magnitude = block.qs[j] < 0 ? -block.qs[j] : block.qs[j];
        sum += block.qs[j];
        largest = magnitude > largest ? magnitude : largest;
    }
    return sum == block.s && largest == (block.d > 0 ? 127 : 0);
}

bool conform_is_stored(ifn_dtype dtype)
{
    return ifn_dtype_to_gguf(dtype) != IFN_GGUF_TYPE_NONE;
}

bool conform_is_stored_block(ifn_dtype dtype)
{
    return conform_is_stored(dtype) && ifn_dtype_is_quantized(dtype);
}

conform_limits conform_limits_of(ifn_dtype dtype)
{
    /* c_low, c_high, sc_low, sc_high, m_high, has_min, group */
    switch (dtype) {
    case IFN_DTYPE_Q8_0:
        return (conform_limits){-128, 127, 1, 1, 0, 0, 32};
    case IFN_DTYPE_Q4_0:
        return (conform_limits){-8, 7, 1, 1, 0, 0, 32};
    case IFN_DTYPE_Q4_1:
        return (conform_limits){0, 15, 1, 1, 0, 1, 32};
    case IFN_DTYPE_Q5_0:
        return (conform_limits){-16, 15, 1, 1, 0, 0, 32};
    case IFN_DTYPE_Q5_1:
        return (conform_limits){0, 31, 1, 1, 0, 1, 32};
    case IFN_DTYPE_Q2_K:
        return (conform_limits){0, 3, 0, 15, 15, 1, 16};
    case IFN_DTYPE_Q3_K:
        return (conform_limits){-4, 3, -32, 31, 0, 0, 16};
    case IFN_DTYPE_Q4_K:
        return (conform_limits){0, 15, 0, 63, 63, 1, 32};
    case IFN_DTYPE_Q5_K:
        return (conform_limits){0, 31, 0, 63, 63, 1, 32};
    case IFN_DTYPE_Q6_K:
        return (conform_limits){-32, 31, -128, 127, 0, 0, 16};
    case IFN_DTYPE_Q8_32F:
        return (conform_limits){-127, 127, 1, 1, 0, 0, 32};
    default:
        return (conform_limits){1, 1, 1, 1, 0, 0, 1};
    }
}

void conform_put_code(ifn_dtype dtype, void *block, int i, int c)
{
    const places *const p = places_of(dtype, i);
    put_split(block, p->c_low, p->c_high, c + p->c_offset);
}

void conform_put_scale(ifn_dtype dtype, void *block, int i, int sc, int m)
{
    const places *const p = places_of(dtype, i);
    put_split(block, p->sc_low, p->sc_high, sc + p->sc_offset);
    put_split(block, p->m_low, p->m_high, m);
}

void conform_put_units(ifn_dtype dtype, void *block, uint16_t d, uint16_t dmin)
{
    const places *const p = places_of(dtype, 0);
    put(block, p->d, d);
    put(block, p->dmin, dmin);
}

double conform_f16_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude;
    if (exponent == 31)
        magnitude = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = fraction * 0x1p-24;
    else
        magnitude = (1024 + fraction) * (double)(1 << exponent) * 0x1p-25;
    return bits >> 15 ? -magnitude : magnitude;
}

/* x in units of the last place at its exponent, rounded by the machine's own nearest-even. */
static double round_to(double magnitude, int significant, int lowest_unit)
{
    int exponent;
    (void)frexp(magnitude, &exponent);
    int unit = exponent - significant;
    unit = unit > lowest_unit ? unit : lowest_unit;
    return nearbyint(magnitude * conform_power_of_two(-unit)) * conform_power_of_two(unit);
}

uint16_t conform_f16_nearest(double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (isnan(x))
        return (uint16_t)(sign | 0x7e00);
    const double magnitude = isinf(x) ? fabs(x) : round_to(fabs(x), 11, -24);
    if (magnitude >= 65536.0)
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x1p-14)
        return (uint16_t)(sign | (int)(magnitude * 0x1p24));
    (void)frexp(magnitude, &exponent);
    return (uint16_t)(sign | (exponent + 14) << 10 |
                      ((int)(magnitude * conform_power_of_two(11 - exponent)) & 1023));
}

double conform_bf16_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return (double)x;
}

uint16_t conform_bf16_nearest(double x)
{
    uint32_t bits;
    if (isnan(x))
        return signbit(x) ? 0xffc0 : 0x7fc0;
    /* 8 bits of f32 are exact, an overflow becomes the infinity by itself */
    const float rounded = (float)(isinf(x) ? x : copysign(round_to(fabs(x), 8, -133), x));
    memcpy(&bits, &rounded, sizeof bits);
    return (uint16_t)(bits >> 16);
}
