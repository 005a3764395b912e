#include "gen_regimes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "blocks.h"

enum { BLOCK = 32 };
/* The streams of rows and blocks use indices of the tensor's stream from here on, which no element uses. */
static const uint64_t rows_at = (uint64_t)1 << 56;

/* The random streams of an element's row and block, and its own bits. */
typedef struct patch {
    conform_stream row, block;
    int at; /* in the block */
    uint64_t own;
} patch;

static conform_stream row_of(conform_stream s, int64_t which)
{
    return (conform_stream){conform_bits(s, rows_at + (uint64_t)which)};
}

static conform_stream block_of(conform_stream row, int64_t block)
{
    return (conform_stream){conform_bits(row, (uint64_t)block)};
}

static patch patch_of(conform_stream s, conform_place p)
{
    const conform_stream row = row_of(s, p.which);
    return (patch){row, block_of(row, p.along / BLOCK), (int)(p.along % BLOCK),
                   conform_bits(s, p.index)};
}

static int below(conform_stream s, uint64_t slot, int n)
{
    return (int)conform_integer(s, slot, 0, n - 1);
}

/* The stream that decides for a block: in half of the rows that of the row, so that all blocks are alike. */
static conform_stream row_or_block(const patch *b)
{
    return below(b->row, rows_at, 2) ? b->row : b->block;
}

static float power_of_two(float x, int exponent)
{
    return (float)((double)x * conform_power_of_two(exponent));
}

/* In [-1, 1], of full precision. */
static double centred(const patch *b)
{
    return (double)(int64_t)(b->own >> 10) * 0x1p-53 - 1.0;
}

/* --- zeros --- */

conform_zero conform_zero_of(conform_stream s, int64_t which, int64_t block)
{
    const conform_stream row = row_of(s, which);
    const int way = below(row, rows_at, 6);
    return (conform_zero)(way < 3 ? way : below(block_of(row, block), rows_at + 1, 5));
}

static float signed_zero(uint64_t bits)
{
    return bits >> 32 & 1 ? -0.0f : 0.0f;
}

/* A normal value of any sign, or of one sign in the whole block: then the zeros of both signs are the block's minimum
 * or maximum. */
static float on_side(conform_stream s, conform_place p)
{
    const float value = conform_normal(s, p.index);
    const int side = below(block_of(row_of(s, p.which), p.along / BLOCK), rows_at + 2, 4);
    return side == 0 ? fabsf(value) : side == 1 ? -fabsf(value) : value;
}

float conform_zeros(conform_stream s, conform_place p)
{
    const uint64_t bits = conform_bits(s, p.index);
    switch (conform_zero_of(s, p.which, p.along / BLOCK)) {
    case ZERO_PLUS:
        return 0.0f;
    case ZERO_MINUS:
        return -0.0f;
    case ZERO_MIXED:
        return signed_zero(bits);
    case ZERO_MOSTLY:
        return bits >> 40 & 7 ? signed_zero(bits) : on_side(s, p);
    case ZERO_NOTHING:
        break;
    }
    return conform_normal(s, p.index);
}

/* --- magnitudes of whole blocks --- */

/* The magnitude of a block: 1, a power of two, or any. */
static float height_of(conform_stream own)
{
    const int way = below(own, 1, 3);
    const float value = fabsf(conform_normal(own, 2)) + 0x1p-4f;
    return way == 0 ? 1.0f : way == 1 ? power_of_two(1.0f, below(own, 3, 17) - 8) : value;
}

/* A factor, 1 for most values. In every other row one value in 101 differs, by much or by little, so that a kernel must
 * not infer the row from a few values. */
static float few_others(const patch *b)
{
    static const float factors[] = {-0.5f, 1 + 0x1p-12f, 1 + 0x1p-16f, 1 + 0x1p-19f};
    const bool is_other = below(b->row, rows_at + 6, 2) && conform_is_seldom(b->own);
    return is_other ? factors[below(b->row, rows_at + 7, 4)] : 1.0f;
}

static float constant(const patch *b)
{
    const conform_stream own = row_or_block(b);
    const float value = height_of(own) * few_others(b);
    switch (below(own, 4, 4)) {
    case 0:
        return value;
    case 1:
        return -value;
    case 2:
        return b->at % 2 ? -value : value;
    default:
        return b->own & 1 ? -value : value;
    }
}

/* Exactly two elements of a block have its largest magnitude, with equal or different signs. */
static float twins(const patch *b)
{
    const float most = height_of(row_or_block(b));
    const int first = below(b->block, 5, BLOCK), other = (first + 1 + below(b->block, 6, 31)) % 32;
    const int signs = below(b->block, 7, 4);
    if (b->at == first)
        return signs & 1 ? -most : most;
    if (b->at == other)
        return signs & 2 ? -most : most;
    return (float)(0.96875 * centred(b) * (double)most);
}

/* One element decides the scale of its block; the others are about 1, or subnormals of f16. */
static float outlier(const patch *b)
{
    const int large = 6 + below(b->block, 8, 9), is_deep = below(b->block, 9, 2);
    const float value = (float)centred(b);
    if (b->at == below(b->block, 5, BLOCK))
        return power_of_two(b->own & 1 ? -1.5f : 1.25f, large);
    return is_deep ? power_of_two(value, -15 - below(b->block, 10, 9)) : value;
}

/* One logit of a row lies so far above the others that an exponential overflows if a kernel misses it as the maximum;
 * in every other row it is the last one. */
static float peak(const patch *b, conform_stream s, conform_place p)
{
    const bool is_last = below(b->row, rows_at + 6, 2);
    const int64_t at = is_last ? p.length - 1 : conform_lone(s, p.which, p.length);
    const float value = conform_normal(s, p.index);
    return p.along == at ? 256.0f + value : value;
}

/* Ends of code ranges: the ratio of the largest element of a block to its scale. */
static float steps_of(conform_stream own)
{
    static const float steps[] = {127, 128, 8, 16, 15, 31, 63, 1};
    return steps[below(own, 11, sizeof steps / sizeof *steps)];
}

/*
 * A scale near an edge. A scale becomes subnormal or zero in f16 at 2^-14 and 2^-25, and in Q8_32F if the largest
 * element falls below 2^-118; super-blocks have a scale of scales, about 2^-6 of that. A scale or a minimum becomes
 * infinite in f16 from 65520 on.
 */
static double edge_of(conform_stream own)
{
    switch (below(own, 12, 5)) {
    case 0:
        return conform_power_of_two(-27 + below(own, 13, 4));
    case 1:
        return conform_power_of_two(-16 + below(own, 13, 4));
    case 2:
        return conform_power_of_two(-26 + below(own, 13, 22));
    case 3:
        return conform_power_of_two(-128 + below(own, 13, 12));
    default:
        return 65520.0 * conform_power_of_two(-below(own, 13, 3));
    }
}

static float edges(const patch *b)
{
    const conform_stream own = row_or_block(b);
    const double most = (double)steps_of(own) * edge_of(own) *
                        (1.0 + 0x1p-23 * (double)(below(b->block, 14, 3) - 1));
    const bool is_most = b->at == below(b->block, 5, BLOCK);
    return (float)(is_most ? (b->own & 1 ? -most : most) : centred(b) * most);
}

/* --- tails --- */

static float laplace(const patch *b)
{
    const double u = (double)(b->own >> 11) * 0x1p-53;
    return (float)copysign(log(1.0 - u), b->own & 1 ? -1.0 : 1.0);
}

/* Logits that rise by 2^-10 to 2^9 from the first to the last. */
static float rising(const patch *b, conform_place p)
{
    const double rise = conform_power_of_two(below(b->row, rows_at + 6, 20) - 10);
    const double first = (double)conform_normal(b->row, rows_at + 7);
    return (float)(first + rise * (double)p.along / (double)p.length);
}

/* In one row of three the first half or more is -inf, which is more than a kernel takes at once of a long row. */
static bool is_in_long_wall(const patch *b, conform_place p)
{
    return below(b->row, 1, 3) == 0 &&
           p.along < conform_integer(b->row, 2, p.length / 2, p.length - 1);
}

/* Runs of -inf, the first of them at the start of the row. */
static float wall(const patch *b, conform_stream s, conform_place p)
{
    const int64_t run = p.along >> (3 + below(b->row, rows_at + 2, 6));
    const uint64_t bits = conform_bits(b->row, rows_at + 3 + (uint64_t)run);
    const bool is_in_run = run == 0 || bits % 4 == 0;
    return is_in_run || is_in_long_wall(b, p) ? -INFINITY : conform_normal(s, p.index);
}

/* --- bits --- */

float conform_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t conform_odd_bits(uint64_t random)
{
    static const uint32_t bits[] = {0x00000000, 0x80000000, 0x7f800001, 0xff800001, 0x7fbfffff,
                                    0xffa5a5a5, 0x7fc00000, 0xffc00000, 0x7fc12345, 0xffffffff,
                                    0x7f800000, 0xff800000, 0x00000001, 0x807fffff};
    return bits[random % (sizeof bits / sizeof *bits)];
}

static float patterns(const patch *b)
{
    return conform_float_of(b->own & 1 ? (uint32_t)(b->own >> 32) : conform_odd_bits(b->own >> 1));
}

/* Patterns for ops that look for a maximum. Of four cases one has only NaN, one NaN and -inf, one any patterns, and one
 * NaN and numbers, so that pieces of a row begin with several NaN and hold its maximum. Rows longer than 2^16 have NaN
 * and numbers. */
static float logit_patterns(const conform_case *c, const patch *b, conform_place p, float number)
{
    enum { LONG = 1 << 16, NUMBERS = 3 };
    const int way =
        p.length > LONG ? NUMBERS : (int)(conform_hash(c->seed, "patterns", 0) % (NUMBERS + 1));
    const uint32_t nan = 0x7f800001u | (uint32_t)(b->own >> 16);
    if (way == 2)
        return patterns(b);
    if (way == 0 || b->own & 1)
        return conform_float_of(nan);
    return way == 1 ? -INFINITY : number;
}

/* --- special values --- */

conform_placing conform_placing_of(const conform_case *c)
{
    static const conform_placing of[8] = {PLACING_STREWN,   PLACING_STREWN,  PLACING_LONE,
                                          PLACING_LONE,     PLACING_LONE,    PLACING_ON_ZEROS,
                                          PLACING_ON_ZEROS, PLACING_ON_ZEROS};
    if (c->family == FAMILY_ON_ZEROS)
        return PLACING_ON_ZEROS;
    return c->family == FAMILY_SPECIALS ? of[conform_hash(c->seed, "placing", 0) % 8]
                                        : PLACING_STREWN;
}

int64_t conform_lone(conform_stream s, int64_t which, int64_t n)
{
    const conform_stream row = row_of(s, which);
    if (n < 1 || below(row, rows_at + 4, 4) == 0)
        return n - 1;
    return conform_integer(row, rows_at + 5, 0, n - 1);
}

int conform_has_zeros(const conform_case *c, conform_operand operand)
{
    const bool is_first = operand == OPERAND_A;
    const bool is_factor = is_first || operand == OPERAND_B || operand == OPERAND_B_DOWN;
    return is_factor && conform_placing_of(c) == PLACING_ON_ZEROS &&
           is_first != (int)(conform_hash(c->seed, "placing", 1) & 1);
}

/* True if the operand takes values at the ends of the range; second factors stay near 1. Norm weights also stay near 1,
 * unless the results become codes, which only the weights can make small. */
static int goes_to_ends(const conform_case *c, conform_operand operand)
{
    if (operand == OPERAND_WEIGHT)
        return c->out_dtype == IFN_DTYPE_Q8_32F;
    return operand == OPERAND_A || operand == OPERAND_PLAIN || operand == OPERAND_LOGIT;
}

static bool seeks_maximum(const conform_case *c)
{
    return c->op == IFN_OP_SOFTMAX_ROWS || c->op == IFN_OP_ARGMAX_WITH_PROB;
}

int conform_regime_value(const conform_case *c, conform_stream s, conform_operand operand,
                         conform_place p, float *value)
{
    const patch b = patch_of(s, p);
    switch (c->family) {
    case FAMILY_ZEROS:
        *value = conform_zeros(s, p);
        return 1;
    case FAMILY_CONSTANT:
        *value = constant(&b);
        return 1;
    case FAMILY_TWINS:
        *value = twins(&b);
        return operand != OPERAND_WEIGHT;
    case FAMILY_OUTLIER:
        *value = seeks_maximum(c) ? peak(&b, s, p) : outlier(&b);
        return operand != OPERAND_WEIGHT;
    case FAMILY_EDGES:
        *value = edges(&b);
        return goes_to_ends(c, operand);
    case FAMILY_LARGEST:
        *value = b.own & 1 ? -0x1.fffffep127f : 0x1.fffffep127f;
        return goes_to_ends(c, operand);
    case FAMILY_LAPLACE:
        *value = laplace(&b);
        return operand != OPERAND_WEIGHT;
    case FAMILY_SPARSE:
        *value = b.own >> 40 & 7 ? 0.0f : conform_normal(s, p.index);
        return operand != OPERAND_WEIGHT;
    case FAMILY_RISING:
        *value = rising(&b, p);
        return operand == OPERAND_LOGIT;
    case FAMILY_WALL:
        *value = wall(&b, s, p);
        return operand == OPERAND_LOGIT;
    case FAMILY_PATTERNS:
        *value = operand == OPERAND_LOGIT ? logit_patterns(c, &b, p, conform_normal(s, p.index))
                                          : patterns(&b);
        return 1;
    default:
        return 0;
    }
}
