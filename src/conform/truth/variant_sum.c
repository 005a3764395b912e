#include "variant_sum.h"

#include <math.h>

#include "stream.h"

typedef struct factors {
    float a, b;
} factors;

static factors term_at(const variant_terms *t, int64_t i)
{
    const float x = t->a[i * t->a_stride], a = t->add ? x + t->add[i] : x;
    return (factors){a, t->b ? t->b[i * t->b_stride] : a};
}

static float join(const variant *v, factors f, float sum)
{
    return v->is_fma ? fmaf(f.a, f.b, sum) : sum + f.a * f.b;
}

/* Visits 0 .. n - 1 once each: index += step modulo n, step without a common factor with n. */
typedef struct sweep {
    int64_t index, step;
} sweep;

static int64_t common_factor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static sweep sweep_of(const variant *v, int64_t n)
{
    const conform_stream s = conform_stream_of(v->seed, "order");
    sweep w = {0, 1};
    if (v->order == ORDER_BACKWARD)
        return (sweep){n - 1, n - 1};
    if (v->order != ORDER_SHUFFLED)
        return w;
    w.index = conform_integer(s, (uint64_t)n, 0, n - 1);
    w.step = conform_integer(s, ~(uint64_t)n, 1, n);
    while (common_factor(w.step, n) != 1)
        w.step++;
    w.step %= n;
    return w;
}

static int64_t next(sweep *w, int64_t n)
{
    const int64_t index = w->index, after = index + w->step;
    w->index = after < n ? after : after - n;
    return index;
}

static float sum_in_lanes(const variant *v, const variant_terms *t, int64_t n)
{
    float lane[VARIANT_MAX_LANES] = {0.0f};
    sweep w = sweep_of(v, n);
    for (int64_t i = 0; i < n; i++) {
        float *const sum = &lane[i & (v->lanes - 1)];
        *sum = join(v, term_at(t, next(&w, n)), *sum);
    }
    for (int width = v->lanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            lane[l] += lane[l + width];
    return lane[0];
}

static float sum_of_halves(const variant *v, const variant_terms *t, int64_t from, int64_t n)
{
    if (n == 1)
        return join(v, term_at(t, from), 0.0f);
    if (n == 2)
        return join(v, term_at(t, from + 1), join(v, term_at(t, from), 0.0f));
    return sum_of_halves(v, t, from, n / 2) + sum_of_halves(v, t, from + n / 2, n - n / 2);
}

static float sum_in_f64(const variant_terms *t, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const factors f = term_at(t, i);
        sum += (double)f.a * (double)f.b;
    }
    return (float)sum;
}

float variant_sum(const variant *v, const variant_terms *t, int64_t n)
{
    if (n == 0)
        return 0.0f;
    if (v->is_f64)
        return sum_in_f64(t, n);
    return v->order == ORDER_PAIRWISE ? sum_of_halves(v, t, 0, n) : sum_in_lanes(v, t, n);
}
