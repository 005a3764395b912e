#include "variant_sum.h"

#include <math.h>

#include <inferno/cpu.h>

#include "stream.h"

typedef struct factors {
    float a, b;
} factors;

variant variant_in(const variant *v, ifn_op op, ifn_dtype dtype)
{
    variant out = *v;
    if (v->declared)
        out.a = v->declared->of[op][dtype];
    return out;
}

float variant_round(const variant *v, uint32_t format, float x)
{
    if (format == IFN_ROUND_NONE)
        return x;
    const conform_format *const f = conform_format_of(format);
    const double nearest = conform_round_to(f, (double)x);
    if (nearest == (double)x || !isfinite(nearest))
        return (float)nearest;
    const double stretched = conform_round_to(f, (double)x * v->stretch) / v->stretch;
    return (float)(isfinite(stretched) ? stretched : nearest);
}

static factors term_at(const variant *v, const variant_terms *t, int64_t i)
{
    const float x = t->a[i * t->a_stride], sum = t->add ? x + t->add[i] : x;
    const float a = variant_round(v, v->a.inputs, sum);
    return (factors){a, t->b ? variant_round(v, v->a.inputs, t->b[i * t->b_stride]) : a};
}

static float join(const variant *v, factors f, float sum)
{
    return v->is_fma ? fmaf(f.a, f.b, sum) : sum + f.a * f.b;
}

/* Visits 0 .. n - 1 once each: index += step modulo n, with a step that is coprime with n. */
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
        *sum = join(v, term_at(v, t, next(&w, n)), *sum);
    }
    for (int width = v->lanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            lane[l] += lane[l + width];
    return lane[0];
}

static float sum_of_halves(const variant *v, const variant_terms *t, int64_t from, int64_t n)
{
    if (n == 1)
        return join(v, term_at(v, t, from), 0.0f);
    if (n == 2)
        return join(v, term_at(v, t, from + 1), join(v, term_at(v, t, from), 0.0f));
    return sum_of_halves(v, t, from, n / 2) + sum_of_halves(v, t, from + n / 2, n - n / 2);
}

static float sum_in_f64(const variant *v, const variant_terms *t, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const factors f = term_at(v, t, i);
        sum += (double)f.a * (double)f.b;
    }
    return (float)sum;
}

/* Computes products and block sums in f16, in the order of the sweep, and adds the blocks in f32. */
static float sum_in_halves(const variant *v, const variant_terms *t, int64_t n)
{
    const conform_format *const f16 = conform_format_of(IFN_ROUND_F16);
    const int64_t length = v->a.sum_block ? v->a.sum_block : n;
    float total = 0;
    double block = 0;
    sweep w = sweep_of(v, n);
    for (int64_t i = 0; i < n; i++) {
        const factors f = term_at(v, t, next(&w, n));
        block = conform_round_to(f16, block + conform_round_to(f16, (double)f.a * (double)f.b));
        if ((i + 1) % length && i + 1 < n)
            continue;
        total += (float)block;
        block = 0;
    }
    return total;
}

float variant_sum(const variant *v, const variant_terms *t, int64_t n)
{
    if (n == 0)
        return 0.0f;
    if (v->a.sums)
        return sum_in_halves(v, t, n);
    if (v->is_f64)
        return sum_in_f64(v, t, n);
    return v->order == ORDER_PAIRWISE ? sum_of_halves(v, t, 0, n) : sum_in_lanes(v, t, n);
}

/* --- sums side by side --- */

enum { AT_ONCE = VARIANT_AT_ONCE };

/* Forces inlining, also into functions that are compiled for another instruction set. */
#define INLINE static inline __attribute__((always_inline))

INLINE void join_each(bool is_fma, const float *w, float x, float *sum)
{
    for (int o = 0; o < AT_ONCE; o++)
        sum[o] = is_fma ? fmaf(w[o], x, sum[o]) : sum[o] + w[o] * x;
}

INLINE void clear(float *sum, int n)
{
    for (int o = 0; o < n; o++)
        sum[o] = 0.0f;
}

/* One accumulator per sum, so that all stay in registers. */
INLINE void sums_in_order(const variant *v, bool is_fma, const float *w, int64_t stride,
                          const float *x, int64_t n, float *out)
{
    float sum[AT_ONCE];
    sweep s = sweep_of(v, n);
    clear(sum, AT_ONCE);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = next(&s, n);
        join_each(is_fma, w + at * stride, x[at], sum);
    }
    for (int o = 0; o < AT_ONCE; o++)
        out[o] = sum[o];
}

INLINE void sums_in_lanes(const variant *v, bool is_fma, const float *w, int64_t stride,
                          const float *x, int64_t n, float *out)
{
    float lane[VARIANT_MAX_LANES][AT_ONCE];
    sweep s = sweep_of(v, n);
    clear(lane[0], VARIANT_MAX_LANES * AT_ONCE);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = next(&s, n);
        join_each(is_fma, w + at * stride, x[at], lane[i & (v->lanes - 1)]);
    }
    for (int width = v->lanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            for (int o = 0; o < AT_ONCE; o++)
                lane[l][o] += lane[l + width][o];
    for (int o = 0; o < AT_ONCE; o++)
        out[o] = lane[0][o];
}

static void sums_one_by_one(const variant *v, const float *w, int64_t stride, int64_t n_sums,
                            const float *x, int64_t n, float *out)
{
    for (int64_t o = 0; o < n_sums; o++)
        out[o] = variant_sum(
            v, &(variant_terms){.a = w + o, .a_stride = stride, .b = x, .b_stride = 1}, n);
}

INLINE void sums_in_f64(const float *w, int64_t stride, const float *x, int64_t n, float *out)
{
    double sum[AT_ONCE] = {0};
    for (int64_t i = 0; i < n; i++)
        for (int o = 0; o < AT_ONCE; o++)
            sum[o] += (double)w[i * stride + o] * (double)x[i];
    for (int o = 0; o < AT_ONCE; o++)
        out[o] = (float)sum[o];
}

INLINE void sums_along(const variant *v, bool is_fma, const float *w, int64_t stride,
                       const float *x, int64_t n, float *out)
{
    if (v->lanes == 1)
        sums_in_order(v, is_fma, w, stride, x, n, out);
    else
        sums_in_lanes(v, is_fma, w, stride, x, n, out);
}

/* Defines sums_<set>, the variant_sums for one instruction set, and halves_<set>, its recursive pairwise sum. */
#define SUMS(set, target)                                                                          \
    target static void halves_##set(bool is_fma, const float *w, int64_t stride, const float *x,   \
                                    int64_t n, float *out)                                         \
    {                                                                                              \
        float sum[AT_ONCE];                                                                        \
        clear(sum, AT_ONCE);                                                                       \
        if (n > 2) {                                                                               \
            halves_##set(is_fma, w, stride, x, n / 2, out);                                        \
            halves_##set(is_fma, w + n / 2 * stride, stride, x + n / 2, n - n / 2, sum);           \
            for (int o = 0; o < AT_ONCE; o++)                                                      \
                out[o] += sum[o];                                                                  \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            join_each(is_fma, w + i * stride, x[i], sum);                                          \
        for (int o = 0; o < AT_ONCE; o++)                                                          \
            out[o] = sum[o];                                                                       \
    }                                                                                              \
    target static void sums_##set(const variant *v, const float *w, int64_t stride,                \
                                  const float *x, int64_t n, float *out)                           \
    {                                                                                              \
        if (v->a.inputs || v->a.sums)                                                              \
            sums_one_by_one(v, w, stride, AT_ONCE, x, n, out);                                     \
        else if (n == 0)                                                                           \
            clear(out, AT_ONCE);                                                                   \
        else if (v->is_f64)                                                                        \
            sums_in_f64(w, stride, x, n, out);                                                     \
        else if (v->order == ORDER_PAIRWISE)                                                       \
            halves_##set(v->is_fma, w, stride, x, n, out);                                         \
        else if (v->is_fma)                                                                        \
            sums_along(v, true, w, stride, x, n, out);                                             \
        else                                                                                       \
            sums_along(v, false, w, stride, x, n, out);                                            \
    }

SUMS(plain, )
#if defined(__x86_64__)
SUMS(avx2, __attribute__((target("avx2,fma"))))
#endif

variant_sums variant_sums_here(void)
{
#if defined(__x86_64__)
    if (ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_AVX2 | IFN_CPU_FMA))
        return sums_avx2;
#endif
    return sums_plain;
}

void variant_sums_of_rows(const variant *v, const float *w, int64_t stride, int64_t n_sums,
                          const float *x, int64_t n, float *out)
{
    const variant_sums add_up = variant_sums_here();
    int64_t o = 0;
    for (; n_sums - o >= AT_ONCE; o += AT_ONCE)
        add_up(v, w + o, stride, x, n, out + o);
    sums_one_by_one(v, w + o, stride, n_sums - o, x, n, out + o);
}
