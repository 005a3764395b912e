#include "ceilings.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "seconds.h"
#include "team.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double bench_now_by(bool is_wall)
{
    return is_wall ? seconds_now() : bench_now();
}

/* Takes one sample: doubles the number of calls until it is long enough, and returns seconds per call. */
static double seconds_per_call(bench_way way, const bench_entry *e)
{
    const double enough = way.sample > 0.0 ? way.sample : 0.002;
    const double start = bench_now_by(way.is_wall);
    int64_t calls = 0;
    double seconds = 0.0;
    for (int64_t more = 1; seconds < enough; more = calls) {
        for (int64_t c = 0; c < more; c++)
            e->fn(e->cookie);
        calls += more;
        seconds = bench_now_by(way.is_wall) - start;
    }
    return seconds / (double)calls;
}

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (seconds > 0.0 && nanosleep(&t, &t) != 0) {
    }
}

void bench_run_by(bench_way way, bench_entry *entries, int n)
{
    const uint64_t start = ifn_clock_ns();
    const double most = way.seconds > 0.0 ? way.seconds : (double)INFINITY;
    for (int i = 0; i < n; i++)
        if (entries[i].fn)
            entries[i].fn(entries[i].cookie);
    for (int sample = 0; sample < BENCH_SAMPLES; sample++) {
        if (sample >= BENCH_FEWEST && 1e-9 * (double)(ifn_clock_ns() - start) > most)
            return;
        for (int i = 0; i < n; i++)
            if (entries[i].fn) {
                sleep_for(way.pause);
                entries[i].samples[entries[i].n_samples++] = seconds_per_call(way, &entries[i]);
            }
    }
}

void bench_run(bench_entry *entries, int n)
{
    bench_run_by((bench_way){.is_wall = false}, entries, n);
}

bench_time bench_time_of(bench_entry *e)
{
    const int n = e->n_samples;
    if (n == 0)
        return (bench_time){0};
    qsort(e->samples, (size_t)n, sizeof *e->samples, compare);
    return (bench_time){e->samples[n / 2], e->samples[n / 10], e->samples[n - 1 - n / 10]};
}

/* Twelve independent chains of x = x * a + b: more than any processor needs to keep its FMA units busy. */
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
enum { STEPS = 20000, N_CHAINS = 12 };

/* A sink for results, so that the compiler does not remove the loop. */
static _Thread_local volatile float peak_result;

/* Defines a function for one instruction set that runs STEPS steps and stores the result in the sink. */
#define PEAK(name, target_attribute, vector, set, step, first)                                     \
    target_attribute static void name(void *cookie)                                                \
    {                                                                                              \
        const vector a = set(0.999f), b = set(0.001f);                                             \
        vector x[N_CHAINS];                                                                        \
        for (int i = 0; i < N_CHAINS; i++)                                                         \
            x[i] = set((float)i);                                                                  \
        for (int n = 0; n < STEPS; n++) {                                                          \
            CHAINS(step)                                                                           \
        }                                                                                          \
        float sum = 0.0f;                                                                          \
        for (int i = 0; i < N_CHAINS; i++)                                                         \
            sum += first(x[i]);                                                                    \
        (void)cookie;                                                                              \
        peak_result = sum;                                                                         \
    }

#if defined(__x86_64__)
#define TARGET(text) __attribute__((target(text)))
#define STEP_512(i)  x[i] = _mm512_fmadd_ps(x[i], a, b);
#define STEP_256(i)  x[i] = _mm256_fmadd_ps(x[i], a, b);
#define STEP_128(i)  x[i] = _mm_add_ps(_mm_mul_ps(x[i], a), b);
PEAK(peak_512, TARGET("avx512f"), __m512, _mm512_set1_ps, STEP_512, _mm512_cvtss_f32)
PEAK(peak_256, TARGET("avx2,fma"), __m256, _mm256_set1_ps, STEP_256, _mm256_cvtss_f32)
PEAK(peak_128, TARGET("sse2"), __m128, _mm_set1_ps, STEP_128, _mm_cvtss_f32)
#elif defined(__aarch64__)
#define STEP_NEON(i) x[i] = vfmaq_f32(b, x[i], a);
#define FIRST(v)     vgetq_lane_f32(v, 0)
PEAK(peak_neon, , float32x4_t, vdupq_n_f32, STEP_NEON, FIRST)
#else
#define STEP_1(i) x[i] = x[i] * a + b;
#define SELF(v)   (v)
PEAK(peak_1, , float, (float), STEP_1, SELF)
#endif

#if defined(__x86_64__)
/* Defines the same for twelve chains of sums of products of bytes. */
#define DOTS(name, target_attribute, vector, set, step, first)                                     \
    target_attribute static void name(void *cookie)                                                \
    {                                                                                              \
        const vector a = set(1), b = set(2);                                                       \
        vector x[N_CHAINS];                                                                        \
        for (int i = 0; i < N_CHAINS; i++)                                                         \
            x[i] = set((char)i);                                                                   \
        for (int n = 0; n < STEPS; n++) {                                                          \
            CHAINS(step)                                                                           \
        }                                                                                          \
        int32_t sum = 0;                                                                           \
        for (int i = 0; i < N_CHAINS; i++)                                                         \
            sum ^= first(x[i]);                                                                    \
        (void)cookie;                                                                              \
        peak_result = (float)sum;                                                                  \
    }
#define DOT_512(i)   x[i] = _mm512_dpbusd_epi32(x[i], a, b);
#define DOT_256(i)   x[i] = _mm256_dpbusd_avx_epi32(x[i], a, b);
#define FIRST_512(v) _mm_cvtsi128_si32(_mm512_castsi512_si128(v))
#define FIRST_256(v) _mm_cvtsi128_si32(_mm256_castsi256_si128(v))
DOTS(dots_512, TARGET("avx512f,avx512vnni"), __m512i, _mm512_set1_epi8, DOT_512, FIRST_512)
DOTS(dots_256, TARGET("avx2,avxvnni"), __m256i, _mm256_set1_epi8, DOT_256, FIRST_256)

/* Four tiles of 16 x 16 sums, each of 64 products. */
enum { TILES = 4, TILE_PRODUCTS = 16 * 16 * 64 };

static void dots_of_tiles(void *cookie)
{
    struct {
        uint8_t palette, first_row, zeros[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    (void)cookie;
    __asm__ volatile("ldtilecfg %0\n\t"
                     "tilezero %%tmm0\n\t"
                     "tilezero %%tmm1\n\t"
                     "tilezero %%tmm2\n\t"
                     "tilezero %%tmm3\n\t"
                     "tilezero %%tmm4\n\t"
                     "tilezero %%tmm5"
                     :
                     : "m"(config));
    for (int n = 0; n < STEPS; n++)
        __asm__ volatile("tdpbssd %%tmm5, %%tmm4, %%tmm0\n\t"
                         "tdpbssd %%tmm5, %%tmm4, %%tmm1\n\t"
                         "tdpbssd %%tmm5, %%tmm4, %%tmm2\n\t"
                         "tdpbssd %%tmm5, %%tmm4, %%tmm3"
                         :
                         :);
    __asm__ volatile("tilerelease" : :);
}
#endif

bench_entry bench_dots(uint64_t features, double *operations)
{
    bench_fn *fn = NULL;
    double products = 0.0; /* of a step */
#if defined(__x86_64__)
    if (ifn_cpu_has(features, IFN_CPU_LEVEL_AVXVNNI)) {
        fn = dots_256;
        products = N_CHAINS * 32;
    }
    if (ifn_cpu_has(features, IFN_CPU_LEVEL_AVX512VNNI)) {
        fn = dots_512;
        products = N_CHAINS * 64;
    }
    if (ifn_cpu_has(features, IFN_CPU_LEVEL_AMXINT8) && ifn_cpu_ask_for_tiles()) {
        fn = dots_of_tiles;
        products = TILES
        *TILE_PRODUCTS;
    }
#else
    (void)features;
#endif
    *operations = 2.0 * STEPS * products;
    return (bench_entry){.fn = fn};
}

bench_entry bench_peak(uint64_t features, double *flops)
{
    bench_fn *fn = NULL;
    int lanes = 4;
    (void)features;
#if defined(__x86_64__)
    fn = peak_128;
    if (ifn_cpu_has(features, IFN_CPU_LEVEL_AVX2)) {
        fn = peak_256;
        lanes = 8;
    }
    if (ifn_cpu_has(features, IFN_CPU_LEVEL_AVX512)) {
        fn = peak_512;
        lanes = 16;
    }
#elif defined(__aarch64__)
    fn = peak_neon;
#else
    fn = peak_1;
    lanes = 1;
#endif
    *flops = 2.0 * STEPS * N_CHAINS * lanes;
    return (bench_entry){.fn = fn};
}

bench_entry bench_ceiling(uint64_t features, int of_dots, double *operations)
{
    bench_entry dots = {.fn = NULL};
    if (of_dots)
        dots = bench_dots(features, operations);
    return dots.fn ? dots : bench_peak(features, operations);
}

/* The rate that each of the threads reaches at once, in its own processor time. */
typedef struct rates {
    int of_dots;
    double of[TEAM_MAX];
} rates;

static void compute(void *cookie, int i)
{
    rates *const r = cookie;
    double operations;
    const bench_entry peak = bench_ceiling(ifn_cpu_detect(), r->of_dots, &operations);
    r->of[i] = peak.fn ? operations / seconds_per_call((bench_way){.is_wall = false}, &peak) : 0.0;
}

enum { ROUNDS = 5 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double bench_peak_operations(int n_threads, int of_dots)
{
    double best = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        rates r = {.of_dots = of_dots};
        double sum = 0.0;
        team_run(n_threads, compute, &r);
        for (int i = 0; i < n_threads; i++)
            sum += r.of[i];
        best = larger(best, sum);
    }
    return best;
}

double bench_peak_flops(int n_threads)
{
    return bench_peak_operations(n_threads, 0);
}
