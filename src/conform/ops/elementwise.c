#include "elementwise.h"

#include <math.h>

#include "gen.h"
#include "gen_regimes.h"

ifn_status conform_value_layout(const conform_case *c, conform_layout *out)
{
    conform_add_f32(out, "x", ROLE_IN, 1, c->dim[0]);
    conform_add_f32(out, "value", ROLE_HOST, 1, 1);
    conform_add_f32(out, "out", ROLE_OUT, 1, c->dim[0]);
    return IFN_OK;
}

static void fill_plain(const conform_case *c, const char *name, void *data, int64_t n)
{
    conform_fill_f32(c, name, OPERAND_PLAIN, 1, data, 1, n, n);
}

void conform_pair_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    fill_plain(c, "x", data[0], c->dim[0]);
    fill_plain(c, "y", data[1], c->dim[0]);
}

/* Values for which kernels take shortcuts, such as x * 0, x * 1 or x + 0, or lose signs. */
static float seldom(uint64_t random)
{
    static const float values[] = {0.0f,      -0.0f,           1.0f,    -1.0f, -3.5f,
                                   0x1p-149f, 0x1.fffffep127f, INFINITY};
    return values[random % (sizeof values / sizeof *values)];
}

/* Strews numbers that reveal such a shortcut: zeros of both signs, NaN and infinities, ends of the range. */
static void strew(const conform_case *c, float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t random = conform_hash(c->seed, "strewn", (uint64_t)i);
        if (random % 8 == 0)
            x[i] =
                random & 8 ? seldom(random >> 4) : conform_float_of(conform_odd_bits(random >> 4));
    }
}

/* A power of two, for kernels that multiply by adding exponents: subnormal results must still be rounded. */
static float power_of_two(uint64_t random)
{
    return ldexpf(random & 1 ? -1.0f : 1.0f, (int)(random >> 1) % 61 - 30);
}

/* About half an ulp of what it is added to, for kernels that skip additions that seem to change nothing. */
static float half_a_bit(uint64_t random)
{
    const float value = 1.0f + (float)(random >> 40) * 0x1p-24f;
    return ldexpf(random & 1 ? -value : value, -22 - (int)(random >> 1 & 0xffff) % 9);
}

/* The rounded 1/n of a number that is no power of two: multiplying by it is not dividing by n. */
static float reciprocal(uint64_t bits)
{
    static const int few[] = {3, 5, 6, 7, 9, 10, 12, 100, 1000};
    return 1.0f / (float)(bits & 1 ? few[(bits >> 1) % (sizeof few / sizeof *few)]
                                   : 2 * (int)((bits >> 1) % 4096) + 3);
}

void conform_value_fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    (void)l;
    fill_plain(c, "x", data[0], c->dim[0]);
    fill_plain(c, "value", data[1], 1);
    if ((c->family == FAMILY_TINY || c->family == FAMILY_WIDE) && conform_is_swapped(c))
        *(float *)data[1] = power_of_two(conform_hash(c->seed, "power", 0));
    if (c->op == IFN_OP_ADD_SCALAR && c->family == FAMILY_POSITIVE)
        *(float *)data[1] = half_a_bit(conform_hash(c->seed, "half a bit", 0));
    if (c->op == IFN_OP_SCALE && c->family == FAMILY_POSITIVE)
        *(float *)data[1] = reciprocal(conform_hash(c->seed, "reciprocal", 0));
    if (c->family != FAMILY_SCALARS)
        return;
    *(float *)data[1] = seldom((uint64_t)c->dim[0]); /* eight consecutive lengths use all values */
    strew(c, data[0], c->dim[0]);
}

int64_t conform_vector_work(const conform_case *c)
{
    return c->dim[0];
}

int64_t conform_matrix_work(const conform_case *c)
{
    return c->dim[0] * c->dim[1];
}
