/* Measures how fast this machine reads from memory and from its caches. */
#ifndef IFN_CLI_READING_H
#define IFN_CLI_READING_H

#include <stdint.h>

/* The size of a buffer that exceeds every cache. */
enum { READING_MEMORY_BYTES = 512 << 20 };

/* Returns the bytes per second of n_threads threads (at most TEAM_MAX) that read a buffer of `bytes` bytes again and
 * again, each its share; 0 if there is no memory for it. */
double reading_bytes_per_second(int n_threads, uint64_t bytes);

/* The same for a buffer of READING_MEMORY_BYTES. */
double bench_read_bytes(int n_threads);

#endif
