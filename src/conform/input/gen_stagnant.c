/*
 * With these inputs a sum of depth h almost reaches the bound gamma(h) sum_j |a_j b_j|, and with no other drawn inputs:
 * only here is a backend found that declares a smaller depth than it has. One factor has the terms, the other has one
 * value in each of its lines; sums of squares have only one factor.
 */
#include "gen_stagnant.h"

#include <math.h>
#include <stdbool.h>

#include "blocks.h"

enum { WAYS = 4, SIGN, EXPONENT, LARGE };

/* A little less than half an ulp of 1, with a significand that F16 and BF16 hold. */
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

static bool is_squared(const conform_case *c)
{
    return c->op == IFN_OP_SUM_SQUARES_AXIS || c->op == IFN_OP_RMS_NORM;
}

/* True if this factor has the terms: in every other case the second one, unless it has blocks, which have no room. */
static bool has_terms(const conform_case *c, conform_operand operand)
{
    const bool is_of_second =
        !ifn_dtype_is_quantized(c->dtype) && conform_hash(c->seed, "terms", 0) & 1;
    return is_squared(c) || conform_is_second(operand) == is_of_second;
}

double conform_stagnant_small(uint64_t seed)
{
    return conform_hash(seed, "together", 0) & 1 ? half_ulp / 16 : half_ulp;
}

/* Half as large for blocks, whose values, and products, lie between two powers of two. */
static double small_term(const conform_case *c)
{
    return conform_stagnant_small(c->seed) / (ifn_dtype_is_quantized(c->dtype) ? 2 : 1);
}

/* The size of the large term of a factor, and of all others. */
typedef struct sizes {
    double large, small;
} sizes;

/* F16 holds the terms as 2^11 and about 2^-13, which are no subnormals. */
static sizes sizes_of(const conform_case *c, conform_operand operand)
{
    if (!has_terms(c, operand))
        return (sizes){1, 1};
    if (conform_is_second(operand) && c->dtype == IFN_DTYPE_F16)
        return (sizes){0x1p11, 0x1p11 * half_ulp};
    return (sizes){1, is_squared(c) ? sqrt(small_term(c)) * (1 - 0x1p-20) : small_term(c)};
}

/* The sign and power of two of a line. */
static double of_line(conform_stream s, int64_t line)
{
    const uint64_t at = (uint64_t)line << 8;
    const double power = conform_power_of_two((int)conform_integer(s, at + EXPONENT, -9, 9));
    return conform_bits(s, at + SIGN) & 1 ? -power : power;
}

void conform_fill_stagnant(const conform_case *c, conform_stream s, conform_operand operand,
                           float *out, int64_t rows, int64_t cols, int64_t stride)
{
    const bool is_down = operand == OPERAND_B_DOWN;
    const int64_t k = is_down ? rows : cols, n_lines = is_down ? cols : rows;
    const int64_t to_line = is_down ? 1 : stride, to_next = is_down ? stride : 1;
    const bool is_f16 = operand == OPERAND_B && c->dtype == IFN_DTYPE_F16;
    const conform_stream lines = (conform_stream){conform_bits(s, (uint64_t)1 << 57)};
    const sizes its = sizes_of(c, operand);
    for (int64_t line = 0; line < n_lines; line++) {
        const int64_t large = conform_stagnant_large(lines, line, k);
        const double unit = is_f16 ? 1 : of_line(lines, line);
        for (int64_t i = 0; i < k; i++)
            out[line * to_line + i * to_next] =
                (float)(i == large ? its.large : its.small) * (float)unit;
    }
}

void conform_fill_stagnant_logits(const conform_case *c, conform_stream s, float *out, int64_t rows,
                                  int64_t cols, int64_t stride)
{
    const double small = log(small_term(c));
    for (int64_t r = 0; r < rows; r++) {
        const int64_t large = conform_stagnant_large(s, r, cols);
        const double shift = (double)conform_integer(s, ((uint64_t)r << 8) + EXPONENT, -9, 9);
        for (int64_t i = 0; i < cols; i++)
            out[r * stride + i] = (float)(shift + (i == large ? 0 : small));
    }
}

int conform_stagnant_exponent(conform_stream s, conform_operand operand, int64_t row, int64_t b,
                              int64_t n)
{
    return operand == OPERAND_A && b != conform_stagnant_large(s, row, n) ? -25 : 0;
}
