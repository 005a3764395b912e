/*
 * A sum, product or quotient of two f32, computed in f64 and rounded to f32, equals the f32 operation: f64 has 53 bits,
 * more than 2 * 24 + 2, so the first rounding never makes a tie for the second (no double rounding).
 */
#include "encode.h"

#include <math.h>
#include <string.h>

#include "blocks.h"

static double f32(double x)
{
    return (double)(float)x;
}

static bool is_inf(uint16_t half)
{
    return (half & 0x7fff) == 0x7c00;
}

/* Encodes a block with d = NaN and everything else 0, which makes results of its own row NaN and no others. */
static void encode_nan(ifn_dtype dtype, void *block)
{
    if (dtype == IFN_DTYPE_Q8_32F) {
        const uint32_t bits = 0x7fc00000;
        memcpy(block, &bits, sizeof bits);
    } else {
        conform_put_units(dtype, block, 0x7e00, 0);
    }
}

static int all_finite(const float *x)
{
    for (int i = 0; i < 32; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

/* The element of largest magnitude, the first of several. */
static double extreme_of(const float *x)
{
    int at = 31;
    for (int i = 31; i-- > 0;)
        at = fabsf(x[i]) >= fabsf(x[at]) ? i : at;
    return (double)x[at];
}

static double half_away(double x)
{
    return copysign(floor(fabs(x) + 0.5), x);
}

static void encode_q8_0(const float *x, void *block)
{
    const double d = f32(fabs(extreme_of(x)) / 127.0), id = f32(1.0 / d);
    const uint16_t stored = conform_f16_nearest(d);
    if (is_inf(stored)) {
        encode_nan(IFN_DTYPE_Q8_0, block);
        return;
    }
    conform_put_units(IFN_DTYPE_Q8_0, block, stored, 0);
    for (int i = 0; i < 32 && stored != 0; i++)
        conform_put_code(IFN_DTYPE_Q8_0, block, i, (int)half_away(f32((double)x[i] * id)));
}

/* Formats without a minimum: the element of largest magnitude becomes the lowest code, -half. */
static void encode_signed(ifn_dtype dtype, const float *x, double half, void *block)
{
    const double d = f32(extreme_of(x) / -half), id = f32(1.0 / d);
    const uint16_t stored = conform_f16_nearest(d);
    if (is_inf(stored)) {
        encode_nan(dtype, block);
        return;
    }
    const int vanishes = (stored & 0x7fff) == 0;
    conform_put_units(dtype, block, vanishes ? 0x8000 : stored, 0);
    for (int i = 0; i < 32; i++) {
        const double product = vanishes ? 0.0 : f32((double)x[i] * id);
        const double code = fmin(2 * half - 1, trunc(f32(product + half + 0.5)));
        conform_put_code(dtype, block, i, (int)code - (int)half);
    }
}

/* Formats with a minimum: equal steps from the smallest element to the largest. */
static void encode_from_minimum(ifn_dtype dtype, const float *x, double steps, void *block)
{
    double lo = (double)x[0], hi = (double)x[0];
    for (int i = 1; i < 32; i++) {
        lo = (double)x[i] < lo ? (double)x[i] : lo;
        hi = (double)x[i] > hi ? (double)x[i] : hi;
    }
    const double d = f32(f32(hi - lo) / steps), id = f32(1.0 / d);
    const uint16_t stored_d = conform_f16_nearest(d), stored_m = conform_f16_nearest(lo);
    if (is_inf(stored_d) || is_inf(stored_m)) {
        encode_nan(dtype, block);
        return;
    }
    conform_put_units(dtype, block, stored_d, stored_m);
    for (int i = 0; i < 32 && stored_d != 0; i++) {
        const double scaled = f32(f32((double)x[i] - lo) * id);
        conform_put_code(dtype, block, i, (int)fmin(steps, trunc(f32(scaled + 0.5))));
    }
}

static void encode_q8_32f(const float *x, void *block)
{
    const double amax = fabs(extreme_of(x)), id = f32(127.0 / amax);
    ifn_block_q8_32f out = {0};
    if (amax >= 0x1p-118)
        out.d = (float)(amax / 127.0);
    for (int i = 0; i < 32 && amax >= 0x1p-118; i++) {
        out.qs[i] = (int8_t)nearbyint(f32((double)x[i] * id));
        out.s += out.qs[i];
    }
    memcpy(block, &out, sizeof out);
}

static void encode_block(ifn_dtype dtype, const float *x, void *block)
{
    if (!all_finite(x)) {
        encode_nan(dtype, block);
        return;
    }
    const conform_limits limits = conform_limits_of(dtype);
    if (dtype == IFN_DTYPE_Q8_0)
        encode_q8_0(x, block);
    else if (dtype == IFN_DTYPE_Q8_32F)
        encode_q8_32f(x, block);
    else if (limits.has_min)
        encode_from_minimum(dtype, x, limits.c_high, block);
    else
        encode_signed(dtype, x, -limits.c_low, block);
}

static void put_half(unsigned char *out, uint16_t bits)
{
    out[0] = (unsigned char)(bits & 255);
    out[1] = (unsigned char)(bits >> 8);
}

static void encode_float(ifn_dtype dtype, const float *x, unsigned char *out, unsigned char *mask)
{
    if (dtype == IFN_DTYPE_F32) {
        memcpy(out, x, sizeof *x);
        return;
    }
    const bool is_f16 = dtype == IFN_DTYPE_F16;
    put_half(out, is_f16 ? conform_f16_nearest((double)*x) : conform_bf16_nearest((double)*x));
    if (isnan(*x))
        put_half(mask, is_f16 ? 0x7e00 : 0x7fc0);
}

int conform_is_pinned(ifn_dtype dtype)
{
    return ifn_dtype_block_elements(dtype) <= 32;
}

void conform_encode_row(ifn_dtype dtype, const float *x, int64_t cols, void *out, void *mask)
{
    const int64_t elements = ifn_dtype_block_elements(dtype);
    const size_t bytes = ifn_dtype_block_bytes(dtype);
    unsigned char *block = out, *judged = mask;
    for (int64_t i = 0; i < cols; i += elements, block += bytes, judged += bytes) {
        memset(block, 0, bytes);
        memset(judged, 0xff, bytes);
        if (elements == 1)
            encode_float(dtype, x + i, block, judged);
        else
            encode_block(dtype, x + i, block);
    }
}
