/* The scale of an attention case: a choice of its seed. */
#include <math.h>

#include "attention_dims.h"
#include "gen.h"

static int exponent_of(const conform_case *c, int operand)
{
    return (int)conform_integer(conform_stream_of(c->seed, "exponent"), (uint64_t)operand, -4, 4);
}

int conform_scores_have_one_sign(const conform_case *c)
{
    return c->family == FAMILY_SCALARS && (conform_hash(c->seed, "one sign", 0) & 1);
}

/* A rare factor of the scale: 0 gives all keys equal weight, a negative one reverses their order, a large one leaves
 * few keys. Scores of one sign usually lie far below 0: if a kernel starts its maximum at 0, -10000 or -65504, which is
 * no key's score, every weight becomes 0. */
static float seldom(const conform_case *c)
{
    static const float below[] = {-400.0f, -8000.0f, -60000.0f};
    static const float factors[] = {0.0f, 0.3f, 1.0f, 1.7f, 25.0f, 40.0f};
    const uint64_t bits = conform_hash(c->seed, "scale", 0);
    if (conform_scores_have_one_sign(c) && bits % 4)
        return below[(bits >> 1) % (sizeof below / sizeof *below)];
    const float factor = factors[(bits >> 1) % (sizeof factors / sizeof *factors)];
    return bits & 1 ? -factor : factor;
}

float conform_attention_scale(const conform_case *c)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM];
    if (c->tier == TIER_T0 || head_dim == 0)
        return 1.0f;
    if (c->family == FAMILY_SPECIALS && conform_hash(c->seed, "no scale", 0) % 4 == 0)
        return 0.0f; /* an infinite key then makes a NaN, which must not be lost */
    float scale = 1.0f / sqrtf((float)head_dim);
    if (c->family != FAMILY_NORMAL && c->family != FAMILY_SCALARS && c->family != FAMILY_GRADED)
        return scale;
    if (c->family == FAMILY_SCALARS)
        scale *= seldom(c);
    /* the powers of two of the queries, and of the keys unless these are blocks */
    return ldexpf(scale, -exponent_of(c, 0) - (c->dtype == IFN_DTYPE_Q8_0 ? 0 : exponent_of(c, 1)));
}
