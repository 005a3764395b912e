/*
 * The bound gamma(h) sum_j |a_j b_j| is all but reached by a sum of depth h and by no other inputs that are drawn: what
 * declares a smaller depth than it has is found here alone. One factor has the terms, the other is of one value in
 * each of its lines; in sums of squares there is one factor alone.
 */
#include "gen_stagnant.h"

#include <math.h>

#include "blocks.h"

enum { WAYS = 4, SIGN, EXPONENT, LARGE };

/* A little less than half an ulp of 1, in bits that a half has. */
static const double half_ulp = 0x1p-24 * (1 - 0x1p-8);

int64_t conform_stagnant_large(conform_stream s, int64_t line, int64_t n)
{
    switch (line % WAYS) {
    case 1:
        return n - 1;
    case 3:
        return conform_integer(s, ((uint64_t)line << 8) + LARGE, 0, n > 0 ? n - 1 : 0);
    default:
        return 0;
    }
}

static bool is_second(conform_operand operand)
{
    return operand == OPERAND_B || operand == OPERAND_B_DOWN;
}

static bool is_squared(const conform_case *c)
{
    return c->op == IFN_OP_SUM_SQUARES_AXIS || c->op == IFN_OP_RMS_NORM;
}

/* In every other case the second factor, where it is not of blocks: these have no room for terms. */
static bool has_terms(const conform_case *c, conform_operand operand)
{
    const bool is_of_second =
        !ifn_dtype_is_quantized(c->dtype) && conform_hash(c->seed, "terms", 0) & 1;
    return is_squared(c) || is_second(operand) == is_of_second;
}

/* Of one term, or of sixteen together: for kernels that add as many before they add these. Values of blocks lie
 * between two powers of two, and so do their products. */
static double small_term(const conform_case *c)
{
    const double many = conform_hash(c->seed, "together", 0) & 1 ? 16 : 1;
    return half_ulp / many / (ifn_dtype_is_quantized(c->dtype) ? 2 : 1);
}

/* Halves hold their terms as 2^11 and 2^-13, by which f16 needs no subnormals. */
static float term(const conform_case *c, conform_operand operand, bool is_large)
{
    const bool is_f16 = is_second(operand) && c->dtype == IFN_DTYPE_F16;
    const double small = is_f16 ? half_ulp : small_term(c), unit = is_f16 ? 0x1p11 : 1;
    if (is_large)
        return (float)unit;
    return (float)(is_squared(c) ? sqrt(small) * (1 - 0x1p-20) : small * unit);
}

/* One sign and one power of two for a line. */
static float of_line(conform_stream s, int64_t line)
{
    const uint64_t at = (uint64_t)line << 8;
    const double power = conform_power_of_two((int)conform_integer(s, at + EXPONENT, -9, 9));
    return (float)(conform_bits(s, at + SIGN) & 1 ? -power : power);
}

bool conform_stagnant_value(const conform_case *c, conform_stream s, conform_operand operand,
                            conform_place p, float *value)
{
    const conform_stream lines = (conform_stream){conform_bits(s, (uint64_t)1 << 57)};
    const bool is_large = p.along == conform_stagnant_large(lines, p.which, p.length);
    if (operand != OPERAND_A && !is_second(operand))
        return false;
    *value = has_terms(c, operand) ? term(c, operand, is_large) : 1.0f;
    if (operand != OPERAND_B || c->dtype != IFN_DTYPE_F16)
        *value *= of_line(lines, p.which);
    return true;
}

int conform_stagnant_exponent(const conform_stream s, conform_operand operand, int64_t row,
                              int64_t b, int64_t n)
{
    return operand == OPERAND_A && b != conform_stagnant_large(s, row, n) ? -25 : 0;
}
