#include "flushed.h"

#include <math.h>
#include <string.h>

#include "bounds.h"
#include "case_pool.h"

static bool is_subnormal(double x)
{
    return x != 0 && fabs(x) < FMIN;
}

static void flush_f32(unsigned char *at, size_t bytes, size_t step)
{
    for (; bytes >= sizeof(float); at += step, bytes -= bytes < step ? bytes : step) {
        float x;
        memcpy(&x, at, sizeof x);
        x = is_subnormal((double)x) ? copysignf(0.0f, x) : x;
        memcpy(at, &x, sizeof x);
    }
}

/* BF16 is the upper half of an f32: a subnormal has a zero exponent. */
static void flush_bf16(unsigned char *at, size_t bytes)
{
    for (; bytes >= sizeof(uint16_t); at += sizeof(uint16_t), bytes -= sizeof(uint16_t)) {
        uint16_t x;
        memcpy(&x, at, sizeof x);
        x = x & 0x7f80 ? x : x & 0x8000;
        memcpy(at, &x, sizeof x);
    }
}

/* Only these dtypes can hold numbers that are subnormal in f32. A block of Q8_32F begins with its scale. */
static void flush_tensor(const conform_tensor *t, unsigned char *data)
{
    if (t->element == ELEMENT_F32 || (t->element == ELEMENT_BLOCKS && t->dtype == IFN_DTYPE_F32))
        flush_f32(data, t->bytes, sizeof(float));
    else if (t->element == ELEMENT_BLOCKS && t->dtype == IFN_DTYPE_Q8_32F)
        flush_f32(data, t->bytes, ifn_dtype_block_bytes(t->dtype));
    else if (t->element == ELEMENT_BLOCKS && t->dtype == IFN_DTYPE_BF16)
        flush_bf16(data, t->bytes);
}

static int64_t count_of(const conform_tensor *t)
{
    return t->rows * t->cols;
}

static void take_skip(const conform_tensor *t, conform_pool *pool, conform_truth *truth)
{
    if (!truth->skip)
        truth->skip = conform_pool_take(pool, (size_t)count_of(t), 1);
}

static void allow_bits(const conform_tensor *t, const conform_truth *other, conform_pool *pool,
                       conform_truth *truth)
{
    take_skip(t, pool, truth);
    for (int64_t i = 0; i < count_of(t); i++) {
        const double a = truth->want[i], b = other->want[i];
        truth->skip[i] |= memcmp(&a, &b, sizeof a) != 0 || fabs(a) == FMIN || is_subnormal(a);
    }
}

static void allow_bound(const conform_tensor *t, const conform_truth *other, conform_truth *truth)
{
    for (int64_t i = 0; i < count_of(t); i++) {
        const double a = truth->want[i], b = other->want[i];
        const int differ = isnan(a) != isnan(b) || (!isnan(a) && (isinf(a) || isinf(b)) && a != b);
        truth->skip[i] |= other->skip[i] | (unsigned char)differ;
        if (isfinite(a) && isfinite(b))
            truth->bound[i] = fmax(truth->bound[i], other->bound[i]) + fabs(a - b);
    }
}

static void allow(const conform_tensor *t, const conform_truth *other, conform_pool *pool,
                  conform_truth *truth)
{
    if (!truth->want || !other->want)
        return;
    if (truth->class == CLASS_BITS)
        allow_bits(t, other, pool, truth);
    else if (truth->class == CLASS_BOUND || truth->class == CLASS_DECODED)
        allow_bound(t, other, truth);
}

/* Clears a truth but keeps is_sampled, so that every truth of a slot chooses the same elements. */
static void start(const conform_slot *s, conform_truth *truth)
{
    memset(truth, 0, CONFORM_MAX_TENSORS * sizeof *truth);
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        truth[i].is_sampled = s->truth[i].is_sampled;
}

static void allow_flushing(const conform_slot *s, const conform_declared *declared,
                           conform_pool *pool, conform_truth *truth)
{
    void *flushed[CONFORM_MAX_TENSORS];
    conform_truth other[CONFORM_MAX_TENSORS];
    start(s, other);
    for (int i = 0; i < s->layout.n; i++) {
        const size_t bytes = s->layout.t[i].bytes;
        flushed[i] = conform_pool_take(pool, bytes, 1);
        memcpy(flushed[i], s->before[i], bytes);
        flush_tensor(&s->layout.t[i], flushed[i]);
    }
    conform_module_of(s->c.op)->truth(&s->c, &s->layout, flushed, declared, pool, other);
    for (int i = 0; i < s->layout.n; i++)
        allow(&s->layout.t[i], &other[i], pool, &truth[i]);
}

/* Flushed results all err towards zero, so what flushing adds to a bound may be one-sided. */
static void lean_by(const conform_tensor *t, const conform_truth *strict, conform_tier tier,
                    conform_pool *pool, conform_truth *truth)
{
    if (truth->class != CLASS_BOUND || !truth->want)
        return;
    if (!truth->lean)
        conform_truth_may_lean(truth, tier, count_of(t), pool);
    for (int64_t i = 0; truth->lean && i < count_of(t); i++)
        truth->lean[i] += fmax(0.0, truth->bound[i] - strict->bound[i]);
}

static void allow_leaning(const conform_slot *s, const conform_declared *declared,
                          conform_pool *pool, conform_truth *truth)
{
    conform_declared keeps = *declared;
    conform_truth strict[CONFORM_MAX_TENSORS];
    keeps.ftz = 0;
    start(s, strict);
    conform_module_of(s->c.op)->truth(&s->c, &s->layout, s->before, &keeps, pool, strict);
    for (int i = 0; i < s->layout.n; i++)
        lean_by(&s->layout.t[i], &strict[i], s->c.tier, pool, &truth[i]);
}

void conform_truth_under(const conform_slot *s, const conform_declared *declared,
                         conform_pool *pool, conform_truth truth[CONFORM_MAX_TENSORS])
{
    start(s, truth);
    conform_module_of(s->c.op)->truth(&s->c, &s->layout, s->before, declared, pool, truth);
    if (!declared->ftz)
        return;
    allow_flushing(s, declared, pool, truth);
    if (s->c.tier == TIER_T2)
        allow_leaning(s, declared, pool, truth);
}
