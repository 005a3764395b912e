#include "reading.h"

#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>
#include <inferno/cpu.h>

#include "ceilings.h"
#include "team.h"

/* Bytes of a cache line; the most streams; the prefetch distance in bytes; rounds; the least bytes that a round
 * reads. */
enum { LINE = 64, STREAMS = 8, AHEAD = 2048, ROUNDS = 5, ROUND_BYTES = 256 << 20 };

/* A sink for results, so that the compiler does not remove the loop. */
static _Thread_local volatile uint64_t read_result;

typedef uint64_t words __attribute__((vector_size(16)));
enum { LINE_WORDS = LINE / (int)sizeof(words) };

typedef void reader(const unsigned char *share, size_t n_bytes);

/* A buffer with a share for each thread, and some extra bytes after the last share. */
typedef struct reading {
    const unsigned char *data;
    size_t n_bytes; /* of a share */
    int passes;
    reader *read;
} reading;

/* Adds a line to one sum per word, so that the additions of a line are independent. */
static inline void add_line(words sums[LINE_WORDS], const unsigned char *line)
{
    for (int i = 0; i < LINE_WORDS; i++) {
        words w;
        memcpy(&w, line + i * sizeof w, sizeof w);
        sums[i] += w;
    }
}

/* Reads along several streams that begin an odd number of lines apart, so that they rarely use the same cache set. */
static inline void read_streams(const unsigned char *data, size_t n_bytes, size_t n_streams,
                                size_t ahead)
{
    const size_t part = ((n_bytes / n_streams / LINE - 1) | 1) * LINE;
    words sums[LINE_WORDS] = {{0}};
    for (size_t k = 0; k < part; k += LINE) {
        for (size_t s = 0; s < n_streams; s++) {
            if (ahead > 0)
                __builtin_prefetch(data + s * part + k + ahead);
            add_line(sums, data + s * part + k);
        }
    }
    for (int w = 1; w < LINE_WORDS; w++)
        sums[0] += sums[w];
    read_result = sums[0][0] + sums[0][1];
}

static void read_one_stream(const unsigned char *data, size_t n_bytes)
{
    read_streams(data, n_bytes, 1, 0);
}

static void read_several_streams(const unsigned char *data, size_t n_bytes)
{
    read_streams(data, n_bytes, STREAMS, AHEAD);
}

/* Eight sums in the widest vectors of the processor, as an L1 cache delivers two vectors per cycle. */
#define EIGHT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define ADD(i)   memcpy(&w, data + k + (i) * sizeof w, sizeof w), sums[i] += w;
#define WIDE(name, target_attribute, vector, lanes)                                                \
    typedef uint64_t vector __attribute__((vector_size(8 * (lanes))));                             \
    target_attribute static void name(const unsigned char *data, size_t n_bytes)                   \
    {                                                                                              \
        vector sums[8], w;                                                                         \
        memset(sums, 0, sizeof sums);                                                              \
        for (size_t k = 0; k + sizeof sums <= n_bytes; k += sizeof sums) {                         \
            EIGHT(ADD)                                                                             \
        }                                                                                          \
        for (int i = 1; i < 8; i++)                                                                \
            sums[0] += sums[i];                                                                    \
        for (int i = 1; i < (lanes); i++)                                                          \
            sums[0][0] += sums[0][i];                                                              \
        read_result = sums[0][0];                                                                  \
    }

#if defined(__x86_64__)
WIDE(read_512, __attribute__((target("avx512f"))), words_512, 8)
WIDE(read_256, __attribute__((target("avx2"))), words_256, 4)
#endif
WIDE(read_128, , words_128, 2)

/* Returns the reader with the widest vectors. Not called in the timed loop, as detecting the CPU features takes
 * longer than a pass. */
static reader *widest(void)
{
#if defined(__x86_64__)
    if (ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_LEVEL_AVX512))
        return read_512;
    if (ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_LEVEL_AVX2))
        return read_256;
#endif
    return read_128;
}

static void read_share(void *cookie, int i)
{
    const reading *const r = cookie;
    for (int pass = 0; pass < r->passes; pass++)
        r->read(r->data + (size_t)i * r->n_bytes, r->n_bytes);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the best of ROUNDS rounds. One thread is timed in its own processor time, several by the wall clock:
 * threads that had to share a processor have not read faster than one. */
static double best_reading(const reading *r, int n)
{
    reading own = *r;
    double best = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = bench_now_by(n > 1);
        team_run(n, read_share, &own);
        const double seconds = bench_now_by(n > 1) - start;
        best = larger(best, (double)own.passes * (double)n * (double)own.n_bytes / seconds);
    }
    return best;
}

/* Returns the fastest of several ways to read: some cores are fastest with one stream, others with several prefetched
 * streams; caches are read fastest with wide vectors. */
static double best_way(reading r, int n)
{
    enum { ENOUGH_FOR_STREAMS = 1 << 20 };
    r.read = widest();
    double best = best_reading(&r, n);
    if (r.n_bytes < ENOUGH_FOR_STREAMS)
        return best;
    r.read = read_one_stream;
    best = larger(best, best_reading(&r, n));
    r.read = read_several_streams;
    return larger(best, best_reading(&r, n));
}

double reading_bytes_per_second(int n_threads, uint64_t bytes)
{
    enum { LEAST = 4096 };
    const size_t share = (size_t)(bytes / (uint64_t)n_threads) / LINE * LINE;
    reading r = {.n_bytes = share > LEAST ? share : LEAST};
    const size_t whole = r.n_bytes * (size_t)n_threads;
    unsigned char *const data = aligned_alloc(LINE, whole + AHEAD);
    if (!data)
        return 0.0;
    memset(data, 1, whole + AHEAD);
    r.data = data;
    r.passes = whole < ROUND_BYTES ? (int)(ROUND_BYTES / whole) : 1;
    const double best = best_way(r, n_threads);
    free(data);
    return best;
}

double bench_read_bytes(int n_threads)
{
    return reading_bytes_per_second(n_threads, READING_MEMORY_BYTES);
}
