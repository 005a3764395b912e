/* The ceilings of the machine: operations per second, and bytes per second read from the memory that holds a given
 * number of bytes. Each ceiling is measured once per command and then remembered. */
#ifndef IFN_CLI_BENCH_ROOF_H
#define IFN_CLI_BENCH_ROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

enum { BENCH_ROOF_MOST = 256 };

typedef struct bench_roof {
    machine_caches caches;
    int n_operations, n_readings;
    struct bench_known_operations {
        int n_threads;
        bool of_dots;
        double per_second;
    } operations[BENCH_ROOF_MOST];
    struct bench_known_reading {
        int n_threads;
        uint64_t bytes;
        double per_second;
    } readings[BENCH_ROOF_MOST];
} bench_roof;

void bench_roof_open(bench_roof *self);

/* Returns the operations per second of n_threads threads; those of products of bytes if of_dots. */
double bench_roof_operations(bench_roof *self, int n_threads, bool of_dots);

/* Returns the bytes per second of n_threads threads that read `bytes` bytes, rounded down to a power of two, again and
 * again. */
double bench_roof_reading(bench_roof *self, int n_threads, uint64_t bytes);
/* Returns the memory that holds so many bytes: "L2", "memory". */
const char *bench_roof_memory(const bench_roof *self, int n_threads, uint64_t bytes);

/* Writes "63 % of 42 GB/s (memory)"; "cache" if the rate exceeds the ceiling, as repeated reads then came from a
 * cache. */
void bench_share_text(double rate, double ceiling, const char *unit, const char *memory, char *out,
                      size_t bytes);
/* Returns rate / ceiling; 0 if there is no ceiling, or the rate exceeds it. */
double bench_share(double rate, double ceiling);

#endif
