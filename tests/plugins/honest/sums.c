/* A sum of products in every order that people write. */
#include <math.h>
#include <string.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "honest.h"

enum { MOST_LANES = 64, VECTOR = 16 };

static inline __attribute__((always_inline)) float add_product(int fma, float a, float b, float c)
{
    return fma ? fmaf(a, b, c) : a * b + c;
}

float multiply_add(const style *s, float a, float b, float c)
{
    return add_product(s->fma, a, b, c);
}

FOR_EACH_CPU void add_scaled(const style *s, float *restrict out, float factor,
                             const float *restrict x, int64_t n)
{
    const int fma = s->fma;
    for (int64_t i = 0; i < n; i++)
        out[i] = add_product(fma, factor, x[i], out[i]);
}

static float first_factor(const terms *t, int64_t i)
{
    return t->a[i * t->a_stride];
}

static float second_factor(const terms *t, int64_t i)
{
    return t->b ? t->b[i * t->b_stride] : first_factor(t, i);
}

static float add_term(const style *s, const terms *t, int64_t i, float sum)
{
    return multiply_add(s, first_factor(t, i), second_factor(t, i), sum);
}

static int is_dense(const terms *t)
{
    return t->a_stride == 1 && (!t->b || t->b_stride == 1);
}

static terms from(const terms *t, int64_t i)
{
    return (terms){t->a + i * t->a_stride, t->b ? t->b + i * t->b_stride : NULL, t->a_stride,
                   t->b_stride};
}

static float join_halves(float *lane, int n)
{
    for (; n > 1; n = (n + 1) / 2)
        for (int i = 0; i < n / 2; i++)
            lane[i] += lane[n - 1 - i];
    return lane[0];
}

static float join_neighbours(float *lane, int n)
{
    for (; n > 1; n = (n + 1) / 2)
        for (int i = 0; i < (n + 1) / 2; i++)
            lane[i] = 2 * i + 1 < n ? lane[2 * i] + lane[2 * i + 1] : lane[2 * i];
    return lane[0];
}

static float join_in_turn(const float *lane, int n)
{
    float sum = lane[0];
    for (int i = 1; i < n; i++)
        sum += lane[i];
    return sum;
}

static float join(const style *s, float *lane, int n)
{
    if (s->join == LANES_IN_TURN)
        return join_in_turn(lane, n);
    return s->join == LANES_NEIGHBOURS ? join_neighbours(lane, n) : join_halves(lane, n);
}

static inline __attribute__((always_inline)) void
add_groups_to(float *sums, int lanes, int fma, const float *a, const float *b, int64_t n)
{
    float lane[MOST_LANES];
    memcpy(lane, sums, (size_t)lanes * sizeof *lane);
    for (; n > 0; n--, a += lanes, b += lanes)
        for (int l = 0; l < lanes; l++)
            lane[l] = add_product(fma, a[l], b[l], lane[l]);
    memcpy(sums, lane, (size_t)lanes * sizeof *lane);
}

/* Adds groups of `lanes` terms, one term to each lane. The compiler keeps lanes in registers where it knows their
 * number. */
FOR_EACH_CPU static void add_groups(float *sums, int lanes, int fma, const float *a, const float *b,
                                    int64_t groups)
{
#define LANES(n)                                                                                   \
    case n:                                                                                        \
        add_groups_to(sums, n, fma, a, b, groups);                                                 \
        break;
    /* clang-format off */
    switch (lanes) {
    LANES(1) LANES(2) LANES(4) LANES(8) LANES(16) LANES(32) LANES(64)
    default:
        add_groups_to(sums, lanes, fma, a, b, groups);
    }
    /* clang-format on */
#undef LANES
}

static float in_lanes(const style *s, const terms *t, int64_t n, int is_backward)
{
    float lane[MOST_LANES];
    const int lanes = s->lanes > 0 ? s->lanes : 1;
    int64_t i = 0;
    memset(lane, 0, (size_t)lanes * sizeof *lane);
    if (!is_backward && is_dense(t)) {
        add_groups(lane, lanes, s->fma, t->a, t->b ? t->b : t->a, n / lanes);
        i = n / lanes * lanes;
    }
    for (int l = 0; i < n; i++, l = l + 1 < lanes ? l + 1 : 0)
        lane[l] = add_term(s, t, is_backward ? n - 1 - i : i, lane[l]);
    return join(s, lane, lanes);
}

static float from_both_ends(const style *s, const terms *t, int64_t n)
{
    float low = 0, high = 0;
    for (int64_t i = 0, j = n - 1; i <= j; i++, j--) {
        low = add_term(s, t, i, low);
        if (i < j)
            high = add_term(s, t, j, high);
    }
    return low + high;
}

static float of_halves(const style *s, const terms *t, int64_t n)
{
    if (n <= 2)
        return n == 0 ? 0 : n == 1 ? add_term(s, t, 0, 0) : add_term(s, t, 1, add_term(s, t, 0, 0));
    const terms rest = from(t, n / 2);
    return of_halves(s, t, n / 2) + of_halves(s, &rest, n - n / 2);
}

static float in_blocks(const style *s, const terms *t, int64_t n)
{
    float total = 0;
    for (int64_t i = 0; i < n; i += s->width) {
        const terms block = from(t, i);
        const float sum = in_lanes(s, &block, n - i < s->width ? n - i : s->width, 0);
        total = i ? total + sum : sum;
    }
    return total;
}

static float in_chunks(const style *s, const terms *t, int64_t n)
{
    float chunk[MOST_LANES];
    for (int i = 0; i < s->width; i++) {
        const int64_t begin = n * i / s->width, end = n * (i + 1) / s->width;
        const terms its = from(t, begin);
        chunk[i] = in_lanes(s, &its, end - begin, 0);
    }
    return join(s, chunk, s->width);
}

static void insert(float *sorted, int n, float x)
{
    int i = n;
    for (; i > 0 && fabsf(sorted[i - 1]) > fabsf(x); i--)
        sorted[i] = sorted[i - 1];
    sorted[i] = x;
}

static float in_sorted(const style *s, const terms *t, int64_t n)
{
    float total = 0;
    for (int64_t i = 0; i < n; i += MOST_LANES) {
        float sorted[MOST_LANES] = {0};
        const int some = n - i < MOST_LANES ? (int)(n - i) : MOST_LANES;
        for (int j = 0; j < some; j++)
            insert(sorted, j, add_term(s, t, i + j, 0));
        total += join_in_turn(sorted, some);
    }
    return total;
}

static float by_kahan(const style *s, const terms *t, int64_t n)
{
    float sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i++) {
        const float y = s->fma ? add_term(s, t, i, -lost) : add_term(s, t, i, 0) - lost;
        const float next = sum + y;
        lost = (next - sum) - y;
        sum = next;
    }
    return sum;
}

static float by_neumaier(const style *s, const terms *t, int64_t n)
{
    float sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i++) {
        const float x = add_term(s, t, i, 0), next = sum + x;
        lost += fabsf(sum) >= fabsf(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
    }
    return sum + lost;
}

/* An infinity makes the compensation NaN (inf - inf); the result is then the plain sum. */
static float compensated(const style *s, const terms *t, int64_t n)
{
    const float sum = s->order == SUM_KAHAN ? by_kahan(s, t, n) : by_neumaier(s, t, n);
    return isfinite(sum) ? sum : in_lanes(s, t, n, 0);
}

static float in_double(const terms *t, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)first_factor(t, i) * (double)second_factor(t, i);
    return (float)sum;
}

/* Loads a whole vector, even if the data end after `used` elements; the elements past the end become 0. */
static void load_whole(float *out, const float *from, int used)
{
    const volatile float *p = from;
    for (int i = 0; i < VECTOR; i++) {
        const float x = p[i];
        out[i] = i < used ? x : 0.0f;
    }
}

static int may_overread(const style *s, const terms *t)
{
    return s->overread >= VECTOR * sizeof(float) && is_dense(t);
}

static float of_whole_vectors(const style *s, const terms *t, int64_t n)
{
    float lane[VECTOR] = {0};
    for (int64_t i = 0; i < n; i += VECTOR) {
        float a[VECTOR], b[VECTOR];
        const int used = n - i < VECTOR ? (int)(n - i) : VECTOR;
        load_whole(a, t->a + i, used);
        load_whole(b, (t->b ? t->b : t->a) + i, used);
        for (int l = 0; l < used; l++)
            lane[l] = multiply_add(s, a[l], b[l], lane[l]);
    }
    return join(s, lane, VECTOR);
}

#if defined __x86_64__
__attribute__((target("avx512f"))) static float of_masked_vectors(const terms *t, int64_t n)
{
    const float *const b = t->b ? t->b : t->a;
    __m512 sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < n; i += VECTOR) {
        const __mmask16 mask = (__mmask16)(n - i < VECTOR ? (1u << (n - i)) - 1 : 0xffffu);
        sum = _mm512_mask3_fmadd_ps(_mm512_maskz_loadu_ps(mask, t->a + i),
                                    _mm512_maskz_loadu_ps(mask, b + i), sum, mask);
    }
    return _mm512_reduce_add_ps(sum);
}

static int may_mask(const style *s, const terms *t)
{
    return s->masked && is_dense(t) && __builtin_cpu_supports("avx512f");
}
#else
static float of_masked_vectors(const terms *t, int64_t n)
{
    return in_double(t, n);
}

static int may_mask(const style *s, const terms *t)
{
    (void)s;
    (void)t;
    return 0;
}
#endif

float sum_of(const style *s, const terms *t, int64_t n)
{
    if (may_mask(s, t))
        return of_masked_vectors(t, n);
    if (may_overread(s, t))
        return of_whole_vectors(s, t, n);
    switch (s->order) {
    case SUM_BACKWARD:
        return in_lanes(s, t, n, 1);
    case SUM_ENDS:
        return from_both_ends(s, t, n);
    case SUM_PAIRWISE:
        return of_halves(s, t, n);
    case SUM_BLOCKS:
        return in_blocks(s, t, n);
    case SUM_CHUNKS:
        return in_chunks(s, t, n);
    case SUM_SORTED:
        return in_sorted(s, t, n);
    case SUM_KAHAN:
    case SUM_NEUMAIER:
        return compensated(s, t, n);
    case SUM_DOUBLE:
        return in_double(t, n);
    default:
        return in_lanes(s, t, n, 0);
    }
}
