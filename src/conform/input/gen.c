/* Inputs of f32 operands. */
#include "gen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "gen_graded.h"
#include "gen_regimes.h"
#include "gen_stagnant.h"

int conform_is_swapped(const conform_case *c)
{
    return (int)(conform_hash(c->seed, "swap", 0) & 1);
}

/* Integers a storage dtype without blocks holds exactly. */
static int64_t exact_integers(ifn_dtype dtype)
{
    switch (dtype) {
    case IFN_DTYPE_F16:
        return 2048;
    case IFN_DTYPE_BF16:
        return 256;
    default:
        return 4095;
    }
}

static int64_t at_least_one(int64_t x)
{
    return x > 0 ? x : 1;
}

static conform_lattice float_lattice(const conform_case *c, int64_t k)
{
    const int64_t budget = (int64_t)1 << 24, most_b = exact_integers(c->dtype);
    int64_t a, b;
    if (c->family == FAMILY_ASYMMETRIC) {
        b = at_least_one(budget / (4095 * k));
        a = budget / (k * b) < 4095 ? budget / (k * b) : 4095;
        if (conform_is_swapped(c)) {
            const int64_t t = a;
            a = b;
            b = t;
        }
    } else {
        const int64_t most_ab = budget / k;
        a = b = (int64_t)sqrt((double)most_ab);
    }
    if (b > most_b)
        b = most_b;
    return (conform_lattice){at_least_one(a < 4095 ? a : 4095), at_least_one(b), 1};
}

conform_lattice conform_lattice_of(const conform_case *c, int64_t k)
{
    const int64_t budget = (int64_t)1 << 24;
    const conform_limits l = conform_limits_of(c->dtype);
    k = at_least_one(k);
    if (!conform_is_stored_block(c->dtype))
        return float_lattice(c, k);
    /* Unscaled codes first, then as much integer scale as the budget bears with |a| >= 1. */
    const int64_t unit = (l.c_low < 0 ? -l.c_low : l.c_high) + l.has_min;
    int64_t scale = at_least_one(budget / at_least_one(k * unit));
    scale = scale < l.sc_high ? scale : l.sc_high;
    const int64_t b = unit * scale;
    return (conform_lattice){at_least_one(budget / at_least_one(k * b)), b, scale};
}

/* A full 24-bit significand, random sign, and an exponent in [low, high]. */
static float with_exponent(conform_stream s, uint64_t i, int low, int high)
{
    const uint64_t bits = conform_bits(s, i);
    const int exponent = low + (int)((bits >> 24 & 0xffff) % (uint64_t)(high - low + 1));
    const double significand = 1.0 + (double)(bits & 0x7fffff) * 0x1p-23;
    return (float)((bits >> 63 ? -significand : significand) * conform_power_of_two(exponent));
}

static float lattice_value(conform_stream s, uint64_t i, int64_t largest, int exponent)
{
    const uint64_t bits = conform_bits(s, i);
    const int64_t magnitude = 1 + (int64_t)((bits >> 1) % (uint64_t)largest);
    return (float)((double)(bits & 1 ? -magnitude : magnitude) * conform_power_of_two(exponent));
}

static conform_place place_of(conform_operand operand, int64_t row, int64_t rows, int64_t col,
                              int64_t cols)
{
    const uint64_t index = (uint64_t)(row * cols + col);
    if (operand == OPERAND_B_DOWN)
        return (conform_place){row, rows, col, index};
    return (conform_place){col, cols, row, index};
}

/* One 1 in each reduction of the hot operand; the other holds numbers of all magnitudes. */
static float one_hot(const conform_case *c, conform_stream s, conform_operand operand, int64_t k,
                     conform_place p)
{
    if (conform_is_second(operand) != conform_is_swapped(c))
        return with_exponent(s, p.index, -100, 100);
    const int64_t hot = conform_integer(s, (uint64_t)p.which, 0, k > 0 ? k - 1 : 0);
    return p.along == hot ? 1.0f : 0.0f;
}

/* Neighbours of a pair: equal second factors, first factors that cancel to a few last bits. */
static float cancelling(conform_stream s, conform_operand operand, int64_t k, conform_place p)
{
    const uint64_t pair = (uint64_t)(p.which * k + p.along / 2);
    const float value = conform_normal(s, pair);
    if (operand != OPERAND_A || p.along % 2 == 0)
        return value;
    return -value * (1.0f + 0x1p-20f * (float)conform_uniform(s, pair + 0x10000000));
}

static float huge_value(conform_stream s, conform_operand operand, int64_t k, uint64_t i)
{
    if (!conform_is_factor(operand))
        return with_exponent(s, i, 100, operand == OPERAND_LOGIT ? 110 : 126);
    /* k products of 2^(60 + 60) would pass FMAX for k > 64: the second factor makes room. */
    int room = 0;
    while (((int64_t)1 << room) < k)
        room++;
    return operand == OPERAND_A ? with_exponent(s, i, 40, 58)
                                : with_exponent(s, i, 30, 62 - room > 30 ? 62 - room : 30);
}

static float special(conform_stream s, uint64_t i)
{
    static const float values[] = {NAN,   INFINITY,  -INFINITY,  0.0f,
                                   -0.0f, 0x1p-149f, -0x1p-130f, 0x1.fffffep127f};
    const uint64_t bits = conform_bits(s, i + 0x20000000);
    const uint64_t which = (bits >> 8) % (sizeof values / sizeof *values);
    return which == 0 ? conform_float_of(conform_odd_bits(bits >> 16)) : values[which];
}

/* What stands alone is as often NaN as anything else: all the rest of its row is ordinary. */
static float specials(const conform_case *c, conform_stream s, conform_operand operand,
                      conform_place p)
{
    const uint64_t bits = conform_bits(s, p.index + 0x20000000);
    const conform_placing placing = conform_placing_of(c);
    const bool is_strewn =
        placing == PLACING_STREWN || (placing == PLACING_ON_ZEROS && conform_is_factor(operand));
    if (conform_has_zeros(c, operand))
        return conform_hash(c->seed, "one among zeros", 0) & 1
                   ? (p.along == conform_lone(s, p.which, p.length) ? 1.0f : 0.0f)
                   : conform_zeros(s, p);
    if (is_strewn)
        return bits % 16 == 0 ? special(s, p.index) : conform_normal(s, p.index);
    if (p.along != conform_lone(s, p.which, p.length))
        return conform_normal(s, p.index);
    return bits & 1 ? NAN : special(s, p.index);
}

/* Subnormals; in every other case numbers of which only the products, and the squares, are. */
static float tiny(const conform_case *c, conform_stream s, conform_operand operand, uint64_t i)
{
    if (conform_hash(c->seed, "tiny", 0) & 1)
        return with_exponent(s, i, -74, -62);
    return conform_is_second(operand) ? with_exponent(s, i, -10, 10)
                                      : with_exponent(s, i, -149, -115);
}

static int wide_low(conform_operand operand)
{
    return operand == OPERAND_PLAIN ? -149 : -50;
}

static int wide_high(conform_operand operand)
{
    return operand == OPERAND_PLAIN ? 126 : operand == OPERAND_LOGIT ? 7 : 50;
}

static float value_of(const conform_case *c, conform_stream s, conform_operand operand, int64_t k,
                      conform_place p, const conform_lattice *lattice, int exponent)
{
    float own;
    if (conform_has_regime(c) && conform_regime_value(c, s, operand, p, &own))
        return own;
    switch (c->family) {
    case FAMILY_LATTICE:
    case FAMILY_ASYMMETRIC:
        return lattice_value(s, p.index, conform_is_second(operand) ? lattice->b : lattice->a,
                             exponent);
    case FAMILY_ONE_HOT:
        return conform_is_factor(operand) ? one_hot(c, s, operand, k, p)
                                          : with_exponent(s, p.index, -20, 20);
    case FAMILY_POSITIVE:
        return fabsf(conform_normal(s, p.index));
    case FAMILY_CANCELLING:
        return cancelling(s, operand, k, p);
    case FAMILY_TINY:
        return tiny(c, s, operand, p.index);
    case FAMILY_HUGE_VALUES:
        return huge_value(s, operand, k, p.index);
    case FAMILY_WIDE:
        return with_exponent(s, p.index, wide_low(operand), wide_high(operand));
    case FAMILY_SPECIALS:
    case FAMILY_ON_ZEROS:
        return specials(c, s, operand, p);
    case FAMILY_SCALE_PROBE: {
        const int64_t block =
            conform_integer(conform_stream_of(c->seed, "probe"), 0, 0, k > 32 ? k / 32 - 1 : 0);
        return operand == OPERAND_A && p.along / 32 != block ? 0.0f
                                                             : fabsf(conform_normal(s, p.index));
    }
    default:
        break;
    }
    const float value =
        (float)((double)conform_normal(s, p.index) * conform_power_of_two(exponent));
    return operand == OPERAND_WEIGHT ? 1.0f + 0.2f * conform_normal(s, p.index) : value;
}

conform_stream conform_input_stream(const conform_case *c, const char *name)
{
    return conform_stream_of(c->seed, c->family == FAMILY_SAME ? "same" : name);
}

void conform_fill_f32(const conform_case *c, const char *name, conform_operand operand, int64_t k,
                      float *out, int64_t rows, int64_t cols, int64_t stride)
{
    const bool is_same = c->family == FAMILY_SAME;
    const conform_stream s = conform_input_stream(c, name);
    const conform_lattice lattice = conform_lattice_of(c, k);
    const int exponent = (int)conform_integer(conform_stream_of(c->seed, "exponent"),
                                              !is_same && conform_is_second(operand), -4, 4);
    if (c->family == FAMILY_GRADED) {
        conform_fill_graded(c, s, operand, out, rows, cols, stride);
        return;
    }
    if (c->family == FAMILY_STAGNANT && conform_is_factor(operand)) {
        conform_fill_stagnant(c, s, operand, out, rows, cols, stride);
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        for (int64_t col = 0; col < cols; col++)
            out[r * stride + col] = value_of(
                c, s, operand, k, place_of(operand, r, rows, col, cols), &lattice, exponent);
}

double conform_rope_base(const conform_case *c)
{
    static const double others[] = {500000, 1000000, 10000000, 100};
    if (c->family != FAMILY_SCALARS)
        return 10000;
    return others[conform_hash(c->seed, "base", 0) % (sizeof others / sizeof *others)];
}

void conform_fill_rope(float *row, int64_t head_dim, int64_t position, double base)
{
    for (int64_t i = 0; i < head_dim / 2; i++) {
        const double angle = (double)position * pow(base, -2.0 * (double)i / (double)head_dim);
        row[i] = (float)cos(angle);
        row[head_dim / 2 + i] = (float)sin(angle);
    }
}
