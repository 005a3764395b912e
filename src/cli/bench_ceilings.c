#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

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

/* Of one sample: calls are doubled until it is long enough. */
static double seconds_per_call(const bench_entry *e)
{
    const double enough = 0.002, start = bench_now();
    int64_t calls = 0;
    double seconds = 0.0;
    for (int64_t more = 1; seconds < enough; more = calls) {
        for (int64_t c = 0; c < more; c++)
            e->fn(e->cookie);
        calls += more;
        seconds = bench_now() - start;
    }
    return seconds / (double)calls;
}

void bench_run(bench_entry *entries, int n)
{
    for (int i = 0; i < n; i++)
        if (entries[i].fn)
            entries[i].fn(entries[i].cookie);
    for (int sample = 0; sample < BENCH_SAMPLES; sample++)
        for (int i = 0; i < n; i++)
            if (entries[i].fn)
                entries[i].samples[sample] = seconds_per_call(&entries[i]);
}

bench_time bench_time_of(bench_entry *e)
{
    qsort(e->samples, BENCH_SAMPLES, sizeof *e->samples, compare);
    return (bench_time){e->samples[BENCH_SAMPLES / 2], e->samples[BENCH_SAMPLES / 10],
                        e->samples[BENCH_SAMPLES - 1 - BENCH_SAMPLES / 10]};
}

/* Twelve chains of x = x * a + b: more than any processor needs to keep its units busy. */
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
enum { STEPS = 20000, N_CHAINS = 12 };

static volatile float peak_result; /* nobody reads it, but no compiler knows */

/* A function of some instruction set that runs STEPS steps and leaves a result somewhere. */
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
#endif

bench_entry bench_peak(uint32_t features, double *flops)
{
    bench_fn *fn = NULL;
    int lanes = 4;
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
    (void)features;
#endif
    *flops = 2.0 * STEPS * N_CHAINS * lanes;
    return (bench_entry){.fn = fn};
}

enum { READ_BYTES = 512 << 20 };

typedef struct reading {
    const uint64_t *data;
    uint64_t sum;
} reading;

static void read_all(void *cookie)
{
    reading *const r = cookie;
    uint64_t sum = 0;
    const size_t quarter = READ_BYTES / sizeof *r->data / 4;
    const uint64_t *const data = r->data; /* four streams are faster than one */
    for (size_t i = 0; i < quarter; i++)
        sum += data[i] + data[i + quarter] + data[i + 2 * quarter] + data[i + 3 * quarter];
    *(volatile uint64_t *)&r->sum = sum;
}

double bench_read_bytes(void)
{
    uint64_t *const data = malloc(READ_BYTES);
    if (!data)
        return 0.0;
    memset(data, 1, READ_BYTES);
    reading r = {.data = data};
    double best = 0.0;
    for (int i = 0; i < 5; i++) {
        const double start = bench_now();
        read_all(&r);
        const double rate = READ_BYTES / (bench_now() - start);
        best = rate > best ? rate : best;
    }
    free(data);
    return best;
}
