/*
 * A block is a string of bits: bit b of byte n has the address 8n + b, and a field is an address
 * and a width. places_of says, once per dtype, where each field of element i lies; reading and
 * writing both use it.
 */
#include "blocks.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* A field inside one byte: no layout has a field of up to eight bits that crosses bytes. Mask 0: there is no field. */
typedef struct field {
    unsigned char byte, shift, bits, mask;
} field;

/* The places of an element's numbers. A number has at most two fields: its low bits and its high bits. */
typedef struct places {
    field c_low, c_high, sc_low, sc_high, m_low, m_high;
    int d, dmin; /* byte offsets of the f16 fields; dmin is never first, so 0 means there is none */
    int c_offset, sc_offset;
} places;

/* The field of `bits` bits from `shift` on; a shift of 8 or more reaches into the following bytes. */
static field bits_at(int byte, int shift, int bits)
{
    return (field){(unsigned char)(byte + shift / 8), (unsigned char)(shift % 8),
                   (unsigned char)bits, (unsigned char)((1 << bits) - 1)};
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
    places p = {.d = 0};
    switch (dtype) {
    case IFN_DTYPE_Q4_0:
        p.c_low = nibble_of_32(2, i);
        p.c_offset = 8;
        break;
    case IFN_DTYPE_Q4_1:
        p.dmin = 2;
        p.c_low = nibble_of_32(4, i);
        break;
    case IFN_DTYPE_Q5_0:
        p.c_high = bits_at(2, i, 1);
        p.c_low = nibble_of_32(6, i);
        p.c_offset = 16;
        break;
    case IFN_DTYPE_Q5_1:
        p.dmin = 2;
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
        p.d = 80;
        p.dmin = 82;
        p.sc_low = bits_at(i / 16, 0, 4);
        p.m_low = bits_at(i / 16, 4, 4);
        p.c_low = pair_of_bits(16, i);
        break;
    case IFN_DTYPE_Q3_K:
        p.d = 108;
        p.c_low = pair_of_bits(32, i);
        p.c_high = bits_at(i % 32, i / 32, 1);
        p.c_offset = 4;
        p.sc_low = bits_at(96 + i / 16 % 8, 4 * (i / 128), 4);
        p.sc_high = bits_at(104 + i / 16 % 4, 2 * (i / 64), 2);
        p.sc_offset = 32;
        break;
    case IFN_DTYPE_Q6_K:
        p.d = 208;
        p.c_low = bits_at(64 * (i / 128) + i % 64, 4 * (i / 64 % 2), 4);
        p.c_high = pair_of_bits(128, i);
        p.c_offset = 32;
        p.sc_low = bits_at(192 + i / 16, 0, 8);
        break;
    default: /* Q4_K, Q5_K */
        p.d = 0;
        p.dmin = 2;
        place_sixes(&p, i / 32);
        p.c_low = bits_at((dtype == IFN_DTYPE_Q5_K ? 48 : 16) + 32 * (i / 64) + i % 32,
                          4 * (i / 32 % 2), 4);
        if (dtype == IFN_DTYPE_Q5_K)
            p.c_high = bits_at(16 + i % 32, i / 32, 1);
    }
    return p;
}

/* The places of every element of a block of every dtype, computed once, because decoding looks them up per element. */
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

static unsigned get(const unsigned char *block, field f)
{
    return (unsigned)block[f.byte] >> f.shift & f.mask;
}

static void put(unsigned char *block, field f, unsigned value)
{
    block[f.byte] |= (unsigned char)((value & f.mask) << f.shift);
}

static uint16_t get_half(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static void put_half(unsigned char *at, uint16_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
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

/* Fields of eight bits are two's complement; narrower fields are unsigned. */
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

static int code_in(const unsigned char *block, const places *p)
{
    return as_signed(get_split(block, p->c_low, p->c_high), p->c_low) - p->c_offset;
}

/* All of a conform_code except c: the values that the elements of a group share. */
static conform_code group_in(ifn_dtype dtype, const unsigned char *block, const places *p)
{
    conform_code out = {.sc = 1, .m = 1, .offset = p->c_offset};
    out.d = dtype == IFN_DTYPE_Q8_32F ? float_at(block) : conform_f16_value(get_half(block + p->d));
    if (p->sc_low.bits)
        out.sc = as_signed(get_split(block, p->sc_low, p->sc_high), p->sc_low) - p->sc_offset;
    if (p->dmin)
        out.dmin = conform_f16_value(get_half(block + p->dmin));
    if (p->m_low.bits)
        out.m = get_split(block, p->m_low, p->m_high);
    else if (p->dmin)
        out.dmin = -out.dmin; /* the stored minimum of Q4_1 and Q5_1 is added */
    return out;
}

/* An element of a dtype without blocks. */
static double float_in(ifn_dtype dtype, const unsigned char *at)
{
    switch (dtype) {
    case IFN_DTYPE_F32:
        return float_at(at);
    case IFN_DTYPE_F16:
        return conform_f16_value(get_half(at));
    default:
        return conform_bf16_value(get_half(at));
    }
}

/* A run: consecutive elements of a row that share everything except the code. */
typedef struct run {
    conform_code shared;
    const unsigned char *block;
    const places *places; /* of its elements */
    int n;
} run;

static run run_at(ifn_dtype dtype, const unsigned char *row, int64_t i, int64_t n, int group)
{
    const int64_t elements = ifn_dtype_block_elements(dtype);
    run r = {.block = row + (size_t)(i / elements) * ifn_dtype_block_bytes(dtype),
             .places = places_of(dtype, (int)(i % elements))};
    const int64_t left = group - i % group;
    r.n = (int)(left < n - i ? left : n - i);
    r.shared = group_in(dtype, r.block, r.places);
    return r;
}

void conform_codes(ifn_dtype dtype, const void *row, int64_t n, conform_code *out)
{
    const int group = conform_limits_of(dtype).group;
    const size_t bytes = ifn_dtype_block_bytes(dtype);
    if (ifn_dtype_block_elements(dtype) == 1) {
        for (int64_t i = 0; i < n; i++)
            out[i] = number(float_in(dtype, (const unsigned char *)row + (size_t)i * bytes));
        return;
    }
    for (int64_t i = 0; i < n;) {
        const run r = run_at(dtype, row, i, n, group);
        for (int j = 0; j < r.n; j++, i++) {
            out[i] = r.shared;
            out[i].c = code_in(r.block, r.places + j);
        }
    }
}

/* The same values as conform_code_value; products of shared numbers are computed once per run. */
void conform_values(ifn_dtype dtype, const void *row, int64_t n, double *out)
{
    const int group = conform_limits_of(dtype).group;
    const size_t bytes = ifn_dtype_block_bytes(dtype);
    if (ifn_dtype_block_elements(dtype) == 1) {
        for (int64_t i = 0; i < n; i++)
            out[i] = float_in(dtype, (const unsigned char *)row + (size_t)i * bytes);
        return;
    }
    for (int64_t i = 0; i < n;) {
        const run r = run_at(dtype, row, i, n, group);
        const double scale = r.shared.d * r.shared.sc, minimum = r.shared.dmin * r.shared.m;
        for (int j = 0; j < r.n; j++, i++)
            out[i] = scale * code_in(r.block, r.places + j) - minimum;
    }
}

conform_code conform_code_at(ifn_dtype dtype, const void *row, int64_t i)
{
    const int64_t n = ifn_dtype_block_elements(dtype);
    const unsigned char *block =
        (const unsigned char *)row + (size_t)(i / n) * ifn_dtype_block_bytes(dtype);
    if (n == 1)
        return number(float_in(dtype, block));
    const places *const p = places_of(dtype, (int)(i % n));
    conform_code out = group_in(dtype, block, p);
    out.c = code_in(block, p);
    return out;
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

bool conform_has_free_zeros(ifn_dtype dtype)
{
    return conform_limits_of(dtype).sc_low < 0;
}

bool conform_has_offset(ifn_dtype dtype)
{
    return ifn_dtype_is_quantized(dtype) && places_of(dtype, 0)->c_offset != 0;
}

void conform_put_code(ifn_dtype dtype, void *block, int i, int c)
{
    const places *const p = places_of(dtype, i);
    put_split(block, p->c_low, p->c_high, c + p->c_offset);
}

void conform_put_codes(ifn_dtype dtype, void *block, const int *codes)
{
    const int n = (int)ifn_dtype_block_elements(dtype);
    const places *const p = places_of(dtype, 0);
    if (p->c_low.bits == 8) { /* bytes, one after the other */
        for (int i = 0; i < n; i++)
            ((unsigned char *)block)[p->c_low.byte + i] = (unsigned char)(codes[i] + p->c_offset);
        return;
    }
    for (int i = 0; i < n; i++)
        put_split(block, p[i].c_low, p[i].c_high, codes[i] + p[i].c_offset);
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
    put_half((unsigned char *)block + p->d, d);
    if (p->dmin)
        put_half((unsigned char *)block + p->dmin, dmin);
}
