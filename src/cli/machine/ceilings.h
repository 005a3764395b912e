/* Timing, and measured ceilings of floating-point operations (reading.h: of memory). On one thread, except for
 * functions that take a number of threads. */
#ifndef IFN_CLI_CEILINGS_H
#define IFN_CLI_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/cpu.h>

/* Seconds of one call: the median, the 10th and the 90th percentile of the samples. */
typedef struct bench_time {
    double median, low, high;
} bench_time;

typedef void bench_fn(void *cookie);

enum { BENCH_SAMPLES = 15 };

/* A function to be timed in turn with others. Caller's storage: {.fn = , .cookie = }. */
typedef struct bench_entry {
    bench_fn *fn; /* NULL: never timed */
    void *cookie;
    double samples[BENCH_SAMPLES];
    int n_samples;
} bench_entry;

/* How entries are timed. */
typedef struct bench_way {
    bool is_wall;   /* by the wall clock; else in processor time of this thread */
    double sample;  /* the least duration of a sample; 0: 2 ms */
    double pause;   /* before each sample, as threads of the previous entry may still spin */
    double seconds; /* time limit, once there are BENCH_FEWEST samples; 0: none */
} bench_way;

enum { BENCH_FEWEST = 5 };

/* Returns the processor time of this thread in seconds, which other processes do not affect. */
double bench_now(void);
/* The same, or seconds of the wall clock. */
double bench_now_by(bool is_wall);

/* Times n entries in turn, A B C A B C. A sample consists of many calls; the first one of each entry does not count. */
void bench_run(bench_entry *entries, int n);
void bench_run_by(bench_way way, bench_entry *entries, int n);
bench_time bench_time_of(bench_entry *entry);

/* Returns a loop of multiplications and additions with the instructions of a level. The processor must support
 * `features`. fn is NULL if there is no such loop. *flops: operations of one call. */
bench_entry bench_peak(uint64_t features, double *flops);
/* The same for sums of products of bytes, if the level has an instruction for them. A product and its addition are two
 * operations. */
bench_entry bench_dots(uint64_t features, double *operations);
/* Returns bench_dots if of_dots and it exists; else bench_peak. */
bench_entry bench_ceiling(uint64_t features, int of_dots, double *operations);
/* Returns the operations per second of n_threads such loops at once, with the best instructions of this processor; 0 if
 * there is no loop. At most TEAM_MAX threads, here and below. */
double bench_peak_flops(int n_threads);
/* The same for bench_dots if of_dots and it exists; else for bench_peak. */
double bench_peak_operations(int n_threads, int of_dots);

#endif
