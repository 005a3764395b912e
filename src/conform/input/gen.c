/* Fills f32 operands. */
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

bool conform_is_one_huge(const conform_case *c)
{
    return conform_hash(c->seed, "one is huge", 0) & 1;
}

/* The largest integer up to 4095 such that a dtype without blocks holds it and all smaller ones exactly. */
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
    /* Unscaled codes first, then the largest integer scale that the budget allows with |a| >= 1. */
    const int64_t unit = (l.c_low < 0 ? -l.c_low : l.c_high) + l.has_min;
    int64_t scale = at_least_one(budget / at_least_one(k * unit));
    scale = scale < l.sc_high ? scale : l.sc_high;
    const int64_t b = unit * scale;
    return (conform_lattice){at_least_one(budget / at_least_one(k * b)), b, scale};
}

/* The choices that all values of a tensor share, drawn once. */
typedef struct draws {
    const conform_case *c;
    conform_stream s;
    conform_operand operand;
    int64_t k;               /* length of a reduction */
    int64_t largest;         /* the largest integer of a lattice */
    double power;            /* power of two that lattices and ordinary values are scaled by */
    int low, high;           /* exponents */
    int64_t probed;          /* SCALE_PROBE: the block that is not zero */
    bool is_hot;             /* ONE_HOT: this operand has the ones */
    bool has_zeros, has_one; /* SPECIALS: zeros where the other factor is special; one 1 there */
    bool is_strewn;          /* specials anywhere; else one in a row */
} draws;

/* A full 24-bit significand, random sign, and an exponent in [low, high]. */
static float with_exponent(conform_stream s, uint64_t i, int low, int high)
{
    const uint64_t bits = conform_bits(s, i);
    const int exponent = low + (int)((uint32_t)(bits >> 24 & 0xffff) % (uint32_t)(high - low + 1));
    const double significand = 1.0 + (double)(bits & 0x7fffff) * 0x1p-23;
    return (float)((bits >> 63 ? -significand : significand) * conform_power_of_two(exponent));
}

static float lattice_value(const draws *d, uint64_t i)
{
    const uint64_t bits = conform_bits(d->s, i);
    const int64_t magnitude = 1 + (int64_t)((bits >> 1) % (uint64_t)d->largest);
    return (float)((double)(bits & 1 ? -magnitude : magnitude) * d->power);
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
static float one_hot(const draws *d, conform_place p)
{
    if (!d->is_hot)
        return with_exponent(d->s, p.index, d->low, d->high);
    const int64_t hot = conform_integer(d->s, (uint64_t)p.which, 0, d->k > 0 ? d->k - 1 : 0);
    return p.along == hot ? 1.0f : 0.0f;
}

/* Pairs of neighbours: their second factors are equal, and their first factors cancel up to a few last bits. */
static float cancelling(const draws *d, conform_place p)
{
    const uint64_t pair = (uint64_t)(p.which * d->k + p.along / 2);
    const float value = conform_normal(d->s, pair);
    if (d->operand != OPERAND_A || p.along % 2 == 0)
        return value;
    return -value * (1.0f + 0x1p-20f * (float)conform_uniform(d->s, pair + 0x10000000));
}

static float special(conform_stream s, uint64_t i)
{
    static const float values[] = {NAN,   INFINITY,  -INFINITY,  0.0f,
                                   -0.0f, 0x1p-149f, -0x1p-130f, 0x1.fffffep127f};
    const uint64_t bits = conform_bits(s, i + 0x20000000);
    const uint64_t which = (bits >> 8) % (sizeof values / sizeof *values);
    return which == 0 ? conform_float_of(conform_odd_bits(bits >> 16)) : values[which];
}

/* The only special value of a row is NaN in half of the cases; the rest of the row is ordinary. */
static float specials(const draws *d, conform_place p)
{
    const conform_stream s = d->s;
    const uint64_t bits = conform_bits(s, p.index + 0x20000000);
    if (d->has_zeros)
        return d->has_one ? (p.along == conform_lone(s, p.which, p.length) ? 1.0f : 0.0f)
                          : conform_zeros(s, p);
    if (d->is_strewn)
        return bits % 16 == 0 ? special(s, p.index) : conform_normal(s, p.index);
    if (p.along != conform_lone(s, p.which, p.length))
        return conform_normal(s, p.index);
    return bits & 1 ? NAN : special(s, p.index);
}

/* Only one block of the first factor is not zero. */
static float probe(const draws *d, conform_place p)
{
    if (d->operand == OPERAND_A && p.along / 32 != d->probed)
        return 0.0f;
    return fabsf(conform_normal(d->s, p.index));
}

/* An ordinary value, for families that do not define their own. */
static float plain(const draws *d, conform_place p)
{
    const float value = conform_normal(d->s, p.index);
    return d->operand == OPERAND_WEIGHT ? 1.0f + 0.2f * value : (float)((double)value * d->power);
}

static float regime(const draws *d, conform_place p)
{
    float own;
    return conform_regime_value(d->c, d->s, d->operand, p, &own) ? own : plain(d, p);
}

typedef struct exponents {
    int low, high;
} exponents;

static exponents huge(const conform_case *c, conform_operand operand, int64_t k)
{
    if (!conform_is_factor(operand))
        return (exponents){100, operand == OPERAND_LOGIT ? 110 : 126};
    if (conform_is_one_huge(c))
        return operand == OPERAND_A ? (exponents){96, 108} : (exponents){-24, -4};
    /* k products of 2^(60 + 60) would pass FMAX for k > 64, so the second factor is smaller for larger k */
    int room = 0;
    while (((int64_t)1 << room) < k)
        room++;
    return operand == OPERAND_A ? (exponents){40, 58}
                                : (exponents){30, 62 - room > 30 ? 62 - room : 30};
}

/* One of three ranges: factors whose products and squares are subnormal; factors whose products and squares are among
 * the smallest normal numbers; or subnormal factors. */
static exponents tiny(const conform_case *c, conform_operand operand)
{
    switch (conform_hash(c->seed, "tiny", 0) % 3) {
    case 0:
        return (exponents){-74, -62};
    case 1:
        return (exponents){-60, -46};
    default:
        return conform_is_second(operand) ? (exponents){-10, 10} : (exponents){-149, -115};
    }
}

static exponents wide(conform_operand operand)
{
    if (operand == OPERAND_PLAIN)
        return (exponents){-149, 126};
    return (exponents){-50, operand == OPERAND_LOGIT ? 7 : 50};
}

static exponents exponents_of(const conform_case *c, conform_operand operand, int64_t k)
{
    switch (c->family) {
    case FAMILY_ONE_HOT:
        return conform_is_factor(operand) ? (exponents){-100, 100} : (exponents){-20, 20};
    case FAMILY_TINY:
        return tiny(c, operand);
    case FAMILY_HUGE_VALUES:
        return huge(c, operand, k);
    default:
        return wide(operand);
    }
}

static draws draw(const conform_case *c, conform_stream s, conform_operand operand, int64_t k)
{
    const bool is_second = conform_is_second(operand), is_factor = conform_is_factor(operand);
    const conform_lattice lattice = conform_lattice_of(c, k);
    const conform_placing placing = conform_placing_of(c);
    const exponents e = exponents_of(c, operand, k);
    const int64_t power = conform_integer(conform_stream_of(c->seed, "exponent"),
                                          c->family != FAMILY_SAME && is_second, -4, 4);
    return (draws){
        .c = c,
        .s = s,
        .operand = operand,
        .k = k,
        .largest = is_second ? lattice.b : lattice.a,
        .power = conform_power_of_two((int)power),
        .low = e.low,
        .high = e.high,
        .probed =
            conform_integer(conform_stream_of(c->seed, "probe"), 0, 0, k > 32 ? k / 32 - 1 : 0),
        .is_hot = is_factor && is_second == conform_is_swapped(c),
        .has_zeros = conform_has_zeros(c, operand),
        .has_one = conform_hash(c->seed, "one among zeros", 0) & 1,
        .is_strewn = placing == PLACING_STREWN || (placing == PLACING_ON_ZEROS && is_factor)};
}

/* Fills one row. The family is tested once per row and not per element, as every element of every input passes here. */
static void fill_row(const draws *d, float *out, int64_t row, int64_t rows, int64_t cols)
{
#define EACH(value)                                                                                \
    for (int64_t col = 0; col < cols; col++) {                                                     \
        const conform_place p = place_of(d->operand, row, rows, col, cols);                        \
        out[col] = (value);                                                                        \
    }                                                                                              \
    break
    switch (conform_has_regime(d->c) ? FAMILY_ZEROS : d->c->family) {
    case FAMILY_ZEROS:
        EACH(regime(d, p));
    case FAMILY_LATTICE:
    case FAMILY_ASYMMETRIC:
        EACH(lattice_value(d, p.index));
    case FAMILY_ONE_HOT:
        EACH(one_hot(d, p));
    case FAMILY_POSITIVE:
        EACH(fabsf(conform_normal(d->s, p.index)));
    case FAMILY_CANCELLING:
        EACH(cancelling(d, p));
    case FAMILY_TINY:
    case FAMILY_HUGE_VALUES:
    case FAMILY_WIDE:
        EACH(with_exponent(d->s, p.index, d->low, d->high));
    case FAMILY_SPECIALS:
    case FAMILY_ON_ZEROS:
        EACH(specials(d, p));
    case FAMILY_SCALE_PROBE:
        EACH(probe(d, p));
    default:
        EACH(plain(d, p));
    }
#undef EACH
}

conform_stream conform_input_stream(const conform_case *c, const char *name)
{
    return conform_stream_of(c->seed, c->family == FAMILY_SAME ? "same" : name);
}

void conform_fill_f32(const conform_case *c, const char *name, conform_operand operand, int64_t k,
                      float *out, int64_t rows, int64_t cols, int64_t stride)
{
    const conform_stream s = conform_input_stream(c, name);
    if (c->family == FAMILY_GRADED) {
        conform_fill_graded(c, s, operand, out, rows, cols, stride);
        return;
    }
    if (c->family == FAMILY_STAGNANT && conform_is_factor(operand)) {
        conform_fill_stagnant(c, s, operand, out, rows, cols, stride);
        return;
    }
    if (c->family == FAMILY_STAGNANT && operand == OPERAND_LOGIT) {
        conform_fill_stagnant_logits(c, s, out, rows, cols, stride);
        return;
    }
    const draws d = draw(c, s, operand, k);
    for (int64_t r = 0; r < rows; r++)
        fill_row(&d, out + r * stride, r, rows, cols);
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
