#include "gen_block.h"

#include <math.h>
#include <string.h>

#include "bounds.h"
#include "gen_graded.h"
#include "gen_stagnant.h"

/* Indices in the stream for choices, scales, minima and codes; no two of them share an index. */
enum { SLOT_D, SLOT_DMIN, SLOT_STYLE, SLOT_SIGN, SLOT_SC = 16, SLOT_M = 32, SLOT_FOURS = 64 };
enum { SLOT_C = 256, SLOT_GAP = 512 };
enum { SLOTS = 1024, MOST_CODES = 256 };

static uint64_t bits_of(const block_maker *m, int slot)
{
    return conform_bits(m->s, m->first + (uint64_t)slot);
}

static int between(const block_maker *m, int slot, int low, int high)
{
    return (int)conform_integer(m->s, m->first + (uint64_t)slot, low, high);
}

static bool is_lattice(const conform_case *c)
{
    return c->family == FAMILY_LATTICE || c->family == FAMILY_ASYMMETRIC;
}

/* True if all values of a block are equal; in STAGNANT all of a row. */
static bool is_constant(const conform_case *c)
{
    return c->family == FAMILY_CONSTANT || c->family == FAMILY_STAGNANT;
}

/* True if scales are above 0 and no minimum is subtracted. */
static bool is_positive(const conform_case *c)
{
    return c->family == FAMILY_POSITIVE || c->family == FAMILY_STAGNANT;
}

/* --- scales --- */

/* OUTLIER: true for one block in four; the scales of the others are subnormal in f16. */
static bool is_large(const block_maker *m)
{
    return (bits_of(m, SLOT_SIGN) >> 16) % 4 == 0;
}

/* The exponents of HUGE: if only activations are huge, stored weights are small enough to make room. */
static void huge(const block_maker *m, int *low, int *high)
{
    const bool is_plain = m->operand == OPERAND_PLAIN;
    const bool is_one = !is_plain && conform_is_one_huge(m->c);
    if (m->dtype != IFN_DTYPE_Q8_32F) {
        *low = is_one ? -24 : 8;
        *high = is_one ? -10 : 15;
        return;
    }
    *low = is_plain || is_one ? 90 : 30;
    *high = is_plain ? 119 : is_one ? 101 : 50;
}

/* The range of exponents of scales in a family; f16 reaches from -24 (subnormal) to 15. */
static void exponents_of(const block_maker *m, int *low, int *high)
{
    const bool is_f32 = m->dtype == IFN_DTYPE_Q8_32F;
    const int unit = -ilogb((double)m->limits.c_high * m->limits.sc_high);
    *low = unit - 2; /* the largest values are about 1 */
    *high = unit + 1;
    if (m->c->family == FAMILY_TINY) {
        *low = is_f32 ? -148 : -24;
        *high = is_f32 ? -110 : -14;
    } else if (m->c->family == FAMILY_HUGE_VALUES) {
        huge(m, low, high);
    } else if (m->c->family == FAMILY_WIDE) {
        *low = is_f32 ? -50 : -24;
        *high = is_f32 ? 40 : 15;
    } else if (m->c->family == FAMILY_EDGES) {
        *low = is_f32 ? -124 : -24;
        *high = is_f32 ? -110 : -12;
    } else if (m->c->family == FAMILY_OUTLIER) {
        *low = *high = is_large(m) ? 9 : is_f32 ? -30 : -20;
    }
    *low += m->grade;
    *high += m->grade;
}

/* A random scale with a full significand, so that a scale kept in fewer bits gives wrong results (numerics 7.3). */
static double random_scale(const block_maker *m, int slot)
{
    int low, high;
    exponents_of(m, &low, &high);
    const int exponent = between(m, slot, low, high);
    const uint64_t bits = bits_of(m, slot + 4);
    return (1.0 + (double)(bits >> 40 & 0x7fffff) * 0x1p-23) * conform_power_of_two(exponent);
}

/* True if the scale is negative, which formats without a minimum allow. */
static bool has_negative_scale(const block_maker *m)
{
    return !m->limits.has_min && m->dtype != IFN_DTYPE_Q8_32F && !is_positive(m->c) &&
           m->c->family != FAMILY_SCALE_PROBE && (bits_of(m, SLOT_SIGN) & 1);
}

/* True if block b of n in row r has a NaN. */
static bool is_spoiled(const block_maker *m, int64_t r, int64_t b, int64_t n)
{
    if (!conform_has_specials(m->c) || conform_has_zeros(m->c, m->operand))
        return false;
    if (conform_placing_of(m->c) == PLACING_LONE)
        return b == conform_lone(m->s, r, n);
    return bits_of(m, SLOT_SIGN) >> 8 & 1 && (bits_of(m, SLOT_SIGN) >> 9) % 8 == 0;
}

/* True if the NaN is in the minimum: every other block, if the format has minima. */
static bool has_nan_minimum(const block_maker *m)
{
    return m->is_spoiled && m->limits.has_min && bits_of(m, SLOT_SIGN) >> 20 & 1;
}

/* STAGNANT with int8 activations: true for a weight format whose scale and minimum each contribute half of a value, as
 * two terms that a kernel adds one after the other. */
static bool has_two_terms(const block_maker *m)
{
    const conform_limits weight = conform_limits_of(m->c->dtype);
    return m->c->family == FAMILY_STAGNANT && m->c->op == IFN_OP_LINEAR_Q8 && weight.has_min &&
           weight.m_high == 0;
}

static double d_of(const block_maker *m)
{
    if (is_lattice(m->c))
        return conform_power_of_two(m->exponent);
    if (m->is_spoiled && !has_nan_minimum(m))
        return (double)NAN;
    return has_negative_scale(m) ? -random_scale(m, SLOT_D) : random_scale(m, SLOT_D);
}

/* The second f16 of a block: the unit of minima, or in Q4_1 and Q5_1 the minimum itself, of any sign. */
static double dmin_of(const block_maker *m)
{
    const bool is_value = m->limits.m_high == 0;
    const double sign = is_value && bits_of(m, SLOT_DMIN) & 1 ? -1.0 : 1.0;
    if (has_nan_minimum(m))
        return (double)NAN;
    if (is_positive(m->c))
        return is_value ? random_scale(m, SLOT_DMIN) : 0.0;
    if (is_lattice(m->c))
        return sign * conform_power_of_two(m->exponent);
    return sign * random_scale(m, SLOT_DMIN);
}

static uint16_t f16_within(double x)
{
    const uint16_t half = conform_f16_nearest(x);
    return (half & 0x7fff) == 0x7c00 ? (uint16_t)(half - 1) : half; /* 65504 instead of inf */
}

/* The integer scale of a group: nonzero on a lattice and in families of one sign. */
static int sc_of(const block_maker *m, int group)
{
    const conform_limits *l = &m->limits;
    group = is_constant(m->c) ? 0 : group;
    const int most =
        is_lattice(m->c) && m->lattice.scale < l->sc_high ? (int)m->lattice.scale : l->sc_high;
    if (l->sc_low >= 0 || is_positive(m->c) || m->c->family == FAMILY_SCALE_PROBE ||
        is_lattice(m->c)) {
        const int sc = between(m, SLOT_SC + group, 1, most);
        return is_lattice(m->c) && l->sc_low < 0 && bits_of(m, SLOT_M + group) & 1 ? -sc : sc;
    }
    return between(m, SLOT_SC + group, l->sc_low, l->sc_high);
}

static int m_of(const block_maker *m, int group)
{
    const int most = is_lattice(m->c) && m->lattice.scale < m->limits.m_high ? (int)m->lattice.scale
                                                                             : m->limits.m_high;
    return between(m, SLOT_M + group, 0, most);
}

/* --- codes --- */

/* The largest code. The first factor of a lattice, in Q8_32F, is limited by the lattice. */
static int code_limit(const block_maker *m)
{
    const int64_t most = m->operand == OPERAND_A ? m->lattice.a : m->limits.c_high;
    return is_lattice(m->c) && most < m->limits.c_high ? (int)most : m->limits.c_high;
}

static bool is_one_sign(const block_maker *m)
{
    const conform_family f = m->c->family;
    return is_positive(m->c) || f == FAMILY_SCALE_PROBE ||
           (f == FAMILY_HUGE_VALUES && m->c->tier != TIER_T2);
}

static void range_codes(block_maker *m)
{
    m->high = code_limit(m);
    m->low = m->dtype == IFN_DTYPE_Q8_32F ? -m->high : m->limits.c_low;
    m->drawn_low = is_one_sign(m) ? 0 : m->low;
    m->has_zero = !is_lattice(m->c) && !is_one_sign(m);
}

/* Code i from its 16 of the 64 bits that it shares with three others. */
static int code_of_four(const block_maker *m, uint64_t four, int i)
{
    const uint32_t span = (uint32_t)(m->high - m->drawn_low + 1);
    const int c = m->drawn_low + (int)((uint32_t)(four >> i % 4 * 16 & 0xffff) * span >> 16);
    return c == 0 && !m->has_zero ? m->high : c;
}

static int uniform_code(const block_maker *m, int i)
{
    return code_of_four(m, bits_of(m, SLOT_FOURS + i / 4), i);
}

static void draw_uniform(const block_maker *m, int n, int *codes)
{
    for (int i = 0; i < n; i += 4) {
        const uint64_t four = bits_of(m, SLOT_FOURS + i / 4);
        for (int j = i; j < i + 4; j++)
            codes[j] = code_of_four(m, four, j);
    }
}

/* True if code i is a zero between sparse values. */
static bool is_gap(const block_maker *m, int i)
{
    return m->is_sparse && bits_of(m, SLOT_GAP + i) & 7;
}

static int styled_code(const block_maker *m, int i)
{
    switch (m->style) {
    case STYLE_ZEROS:
        return 0;
    case STYLE_CONSTANT:
        return uniform_code(m, 0);
    case STYLE_PAIRS: /* equal weights; the first factor makes them cancel */
        return i % 2 && m->operand == OPERAND_A ? -uniform_code(m, i - 1)
                                                : uniform_code(m, i - i % 2);
    case STYLE_EXTREMES:
        return bits_of(m, SLOT_C + i) & 1 ? m->low : m->high;
    case STYLE_LOW:
        return m->low;
    case STYLE_HIGH:
        return m->high;
    case STYLE_UNIFORM:
        break;
    }
    return uniform_code(m, i);
}

static void draw_codes(const block_maker *m, int n, int *codes)
{
    if (m->style == STYLE_UNIFORM && !m->is_sparse) /* most blocks */
        draw_uniform(m, n, codes);
    else
        for (int i = 0; i < n; i++)
            codes[i] = is_gap(m, i) ? 0 : styled_code(m, i);
}

/* True if all codes are zero: in ZERO_MIXED, and in half of the blocks with a NaN. */
static bool is_all_zeros(const block_maker *m)
{
    return m->zero == ZERO_MIXED || (m->is_spoiled && bits_of(m, SLOT_SIGN) >> 21 & 1);
}

/* Some blocks hold only the ends of the code range, where 16-bit sums of pairs saturate (numerics
 * 7.3). Activations of T2 keep their random signs: no block of one end there. */
static block_style style_of(const block_maker *m)
{
    const int choice = (int)(bits_of(m, SLOT_STYLE) % 12);
    const bool is_activation = m->dtype == IFN_DTYPE_Q8_32F;
    if (is_all_zeros(m))
        return STYLE_ZEROS;
    if (is_constant(m->c))
        return STYLE_CONSTANT;
    if (m->c->family == FAMILY_CANCELLING)
        return STYLE_PAIRS;
    if (is_lattice(m->c) || m->c->family == FAMILY_POSITIVE || m->c->family == FAMILY_SCALE_PROBE)
        return STYLE_UNIFORM;
    if (m->c->family == FAMILY_HUGE_VALUES && m->c->tier != TIER_T2)
        return choice % 2 ? STYLE_LOW : STYLE_HIGH;
    if (choice == 0)
        return STYLE_EXTREMES;
    if (choice <= 2 && !(is_activation && m->c->tier == TIER_T2))
        return choice == 1 ? STYLE_LOW : STYLE_HIGH;
    return STYLE_UNIFORM;
}

/* --- blocks --- */

void block_put_activation(void *block, double d, bool is_zero)
{
    ifn_block_q8_32f b;
    memcpy(&b, block, sizeof b);
    b.d = (float)d;
    b.s = 0;
    for (int i = 0; i < 32; i++) {
        b.qs[i] = is_zero ? 0 : b.qs[i];
        b.s += b.qs[i];
    }
    memcpy(block, &b, sizeof b);
}

/* Sets zero scales and leaves the codes, as 0 times any code is zero. The zero minimum has its own random sign. */
static void put_zero_units(const block_maker *m, void *block)
{
    const uint16_t zero = m->zero == ZERO_MINUS ? 0x8000 : 0;
    const uint16_t min = bits_of(m, SLOT_SIGN) >> 22 & 1 ? 0x8000 : 0;
    conform_put_units(m->dtype, block, zero, m->limits.has_min ? min : 0);
}

static void put_scales(const block_maker *m, void *block)
{
    const int n = (int)ifn_dtype_block_elements(m->dtype);
    for (int i = 0; m->limits.sc_high > 1 && i < n; i += m->limits.group) {
        const int group = i / m->limits.group;
        conform_put_scale(m->dtype, block, i, sc_of(m, group), m_of(m, group));
    }
    if (m->zero == ZERO_PLUS || m->zero == ZERO_MINUS)
        put_zero_units(m, block);
    else
        conform_put_units(m->dtype, block, f16_within(d_of(m)),
                          m->limits.has_min && m->zero != ZERO_MIXED ? f16_within(dmin_of(m)) : 0);
}

/* A weight has codes of 8, a scale of 1/8 and a minimum of 1. Activations have one code and a scale by which each
 * of the two terms is a little more than 1 in the large block, and a little less than half an ulp of both in the
 * others. */
static void make_two_terms(const block_maker *m, void *block)
{
    const bool is_activation = m->dtype == IFN_DTYPE_Q8_32F;
    const int code = is_activation ? uniform_code(m, 0) : 8;
    const double large = (1 + 0x1p-22) / (32 * code);
    int codes[32];
    for (int i = 0; i < 32; i++)
        codes[i] = code;
    conform_put_codes(m->dtype, block, codes);
    if (is_activation)
        block_put_activation(block, m->grade == 0 ? large : large * 0x1p-23 * (1 - 0x1p-8), false);
    else
        conform_put_units(m->dtype, block, f16_within(0.125), f16_within(1.0));
}

void block_make(const block_maker *m, void *block)
{
    const int n = (int)ifn_dtype_block_elements(m->dtype);
    int codes[MOST_CODES];
    if (has_two_terms(m)) {
        make_two_terms(m, block);
        return;
    }
    draw_codes(m, n, codes);
    conform_put_codes(m->dtype, block, codes);
    if (m->dtype == IFN_DTYPE_Q8_32F)
        block_put_activation(block, m->zero <= ZERO_MIXED ? 0.0 : d_of(m),
                             m->is_spoiled || m->zero <= ZERO_MIXED);
    else
        put_scales(m, block);
}

void block_make_hot(const block_maker *m, void *block, int64_t hot)
{
    const int n = (int)ifn_dtype_block_elements(m->dtype);
    for (int i = 0; i < n; i++)
        conform_put_code(m->dtype, block, i, i == hot);
    for (int i = 0; m->limits.sc_high > 1 && i < n; i += m->limits.group)
        conform_put_scale(m->dtype, block, i, 1, 0);
    if (m->dtype == IFN_DTYPE_Q8_32F)
        block_put_activation(block, 1.0, 0);
    else
        conform_put_units(m->dtype, block, conform_f16_nearest(1.0), 0);
}

void block_make_any(const block_maker *m, unsigned char *block)
{
    const size_t bytes = ifn_dtype_block_bytes(m->dtype);
    for (size_t i = 0; i < bytes; i++)
        block[i] = (unsigned char)bits_of(m, SLOT_C + (int)i);
    if (m->dtype == IFN_DTYPE_Q8_32F) {
        block[8] = block[8] == 0x80 ? 0 : block[8];
        for (size_t i = 9; i < bytes; i++)
            block[i] = block[i] == 0x80 ? 1 : block[i];
        block_put_activation(block, random_scale(m, SLOT_D), 0);
    }
}

/* --- from one block to the next --- */

block_maker block_maker_of(const conform_case *c, const char *name, conform_operand operand,
                           ifn_dtype dtype, int64_t k)
{
    block_maker m = {.c = c,
                     .operand = operand,
                     .dtype = dtype,
                     .s = conform_input_stream(c, name),
                     .limits = conform_limits_of(dtype),
                     .lattice = conform_lattice_of(c, k)};
    m.exponent =
        (int)conform_integer(conform_stream_of(c->seed, "exponent"), operand == OPERAND_B, -4, 4);
    range_codes(&m);
    return m;
}

void block_maker_go(block_maker *self, int64_t r, int64_t b, int64_t n)
{
    const conform_case *const c = self->c;
    const int64_t elements = ifn_dtype_block_elements(self->dtype);
    self->first = (uint64_t)(r * n + (c->family == FAMILY_STAGNANT ? 0 : b)) * SLOTS;
    self->is_spoiled = is_spoiled(self, r, b, n);
    self->grade = 0;
    if (c->family == FAMILY_GRADED)
        self->grade = conform_graded_exponent(c, self->operand, r, b * elements, n * elements);
    else if (c->family == FAMILY_STAGNANT)
        self->grade = conform_stagnant_exponent(self->s, self->operand, r, b, n);
    self->zero = c->family == FAMILY_ZEROS || conform_has_zeros(c, self->operand)
                     ? conform_zero_of(self->s, r, b)
                     : ZERO_NOTHING;
    self->is_sparse = self->zero == ZERO_MOSTLY || c->family == FAMILY_SPARSE;
    self->style = style_of(self);
}
