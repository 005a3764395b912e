/* What the machine allows, measured once for each question of a command: operations, and bytes read
 * from where so many of them lie. */
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

/* Operations per second of so many threads; of products of bytes where they are asked for. */
double bench_roof_operations(bench_roof *self, int n_threads, bool of_dots);

/* Bytes per second of so many threads that read so many bytes again and again, or a little fewer:
 * a power of two. */
double bench_roof_reading(bench_roof *self, int n_threads, uint64_t bytes);
/* "L2", "memory": where they lie. */
const char *bench_roof_memory(const bench_roof *self, int n_threads, uint64_t bytes);

/* "63 % of 42 GB/s (memory)"; or where more was reached than there is: "cache", as what was read
 * again had not to be read from there. */
void bench_share_text(double rate, double ceiling, const char *unit, const char *memory, char *out,
                      size_t bytes);
/* rate / ceiling; 0 where there is no ceiling, or it is not one. */
double bench_share(double rate, double ceiling);

#endif
