/* How fast this machine reads, measured: from memory, and from a cache what fits in it. */
#ifndef IFN_CLI_READING_H
#define IFN_CLI_READING_H

#include <stdint.h>

/* More than a cache holds. */
enum { READING_MEMORY_BYTES = 512 << 20 };

/* Bytes per second that so many threads at once, at most TEAM_MAX, read of a buffer of that size,
 * again and again, each its share; 0 without the memory for it. */
double reading_bytes_per_second(int n_threads, uint64_t bytes);

/* The same of a buffer no cache holds. */
double bench_read_bytes(int n_threads);

#endif
