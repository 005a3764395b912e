/* Clocks, and how much this machine computes, measured; how fast it reads: reading.h. On one thread,
 * but for the ceilings of several. */
#ifndef IFN_CLI_CEILINGS_H
#define IFN_CLI_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/cpu.h>

/* Seconds of one call. Of many samples, a tenth was below `low`, a tenth above `high`. */
typedef struct bench_time {
    double median, low, high;
} bench_time;

typedef void bench_fn(void *cookie);

enum { BENCH_SAMPLES = 15 };

/* Something to be timed, in turn with others. Caller's storage: {.fn = , .cookie = }. */
typedef struct bench_entry {
    bench_fn *fn; /* NULL: never timed */
    void *cookie;
    double samples[BENCH_SAMPLES];
    int n_samples;
} bench_entry;

/* How they are timed. */
typedef struct bench_way {
    bool is_wall;   /* by the clock on the wall; else in this thread's processor time */
    double sample;  /* each sample is as long, at least; 0: 2 ms */
    double pause;   /* before each sample: threads of the entry before may still wait for work */
    double seconds; /* no new round after so many, once there are BENCH_FEWEST samples; 0: no end */
} bench_way;

enum { BENCH_FEWEST = 5 };

/* Seconds of processor time that this thread has had: others may want the processor, too. */
double bench_now(void);
/* The same, or seconds by the clock on the wall. */
double bench_now_by(bool is_wall);

/* Times n entries A B C A B C, each sample as long as many calls, after one that does not count. */
void bench_run(bench_entry *entries, int n);
void bench_run_by(bench_way way, bench_entry *entries, int n);
bench_time bench_time_of(bench_entry *entry);

/* A loop of multiplications and additions with the instructions of a level, which `features` must
 * say this processor has; fn is NULL where there is none. *flops: how many one call does. */
bench_entry bench_peak(uint64_t features, double *flops);
/* The same for sums of products of bytes, where the level has an instruction for them; a product
 * and its addition are two operations. */
bench_entry bench_dots(uint64_t features, double *operations);
/* The dots, where they are asked for and there are any; else the peak. */
bench_entry bench_ceiling(uint64_t features, int of_dots, double *operations);
/* Operations per second of so many such loops at once, with the best instructions there are; 0
 * where there is no loop. At most TEAM_MAX threads, here and below. */
double bench_peak_flops(int n_threads);
/* The same of the dots, where they are asked for and there are any; else of the peak. */
double bench_peak_operations(int n_threads, int of_dots);

#endif
