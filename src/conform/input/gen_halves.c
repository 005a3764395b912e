#include "gen_halves.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "case_pool.h"
#include "gen.h"
#include "halves.h"

/* The exponents that F16 has in a family: those below `lowest` or too large are folded into the 14 from `folded` on. */
typedef struct range {
    int lowest, folded;
} range;

/* Families with subnormals keep exponents from 2^-24 up. A table of TINY values is folded into these small ones. */
static range range_of(const conform_case *c, conform_operand operand)
{
    if (c->family == FAMILY_TINY && operand == OPERAND_PLAIN)
        return (range){-23, -23};
    const bool has_subnormals =
        c->family == FAMILY_OUTLIER || c->family == FAMILY_EDGES || c->family == FAMILY_GRADED;
    return (range){has_subnormals ? -23 : -13, -6};
}

/* Converts to F16: the exponent is folded into the range, the significand truncated, not rounded. */
static uint16_t f16_folded(float x, const range *r)
{
    const double wide = (double)x;
    const int known = conform_exponent_of(fabs(wide));
    if (x == 0 || !isfinite(x))
        return conform_f16_nearest(wide);
    const int exponent =
        known > 16 || known < r->lowest ? (known % 14 + 14) % 14 + r->folded : known;
    const double cut = trunc(fabs(wide) * conform_power_of_two(11 - known));
    if (exponent < -13) /* subnormal: it is rounded */
        return conform_f16_nearest(copysign(cut * conform_power_of_two(exponent - 11), wide));
    return (uint16_t)((signbit(x) ? 0x8000 : 0) | (exponent + 14) << 10 | ((int)cut & 1023));
}

static uint16_t bf16_cut(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? conform_bf16_nearest((double)x) : (uint16_t)(bits >> 16);
}

void conform_fill_halves(const conform_case *c, const char *name, conform_operand operand,
                         ifn_dtype dtype, int64_t k, unsigned char *out, int64_t n_rows,
                         int64_t cols)
{
    const range r = range_of(c, operand);
    const int64_t n = n_rows * cols;
    float *values = malloc((size_t)n * sizeof *values + 1);
    if (!values)
        conform_out_of_memory((size_t)n * sizeof *values, "the inputs of a case");
    conform_fill_f32(c, name, operand, k, values, n_rows, cols, cols);
    for (int64_t i = 0; i < n; i++) {
        const uint16_t half =
            dtype == IFN_DTYPE_F16 ? f16_folded(values[i], &r) : bf16_cut(values[i]);
        out[2 * i] = (unsigned char)(half & 255);
        out[2 * i + 1] = (unsigned char)(half >> 8);
    }
    free(values);
}
