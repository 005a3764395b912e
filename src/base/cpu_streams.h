/*
 * How a kernel should read memory that it streams through once. Results do not depend on the choice.
 *
 * GB/s of one thread, linear_q8 on one row:
 *
 *                                     Zen 4        Zen 5        Xeon with AVX-512
 *                                     Q8_0  Q4_K   Q8_0  Q4_K   Q8_0
 *   several streams, fetched ahead      14           34    34     16
 *   one, followed by the core           31    30     38    20     11
 *   one, fetched 8 KiB ahead            17    23     38    36
 *
 * "Followed" means the core's hardware prefetcher, which needs lines to be requested in the order of
 * their addresses. A Zen 5 prefetches for each load instruction by itself, some steps ahead: that is
 * few bytes if a step is short.
 */
#ifndef IFN_CPU_STREAMS_H
#define IFN_CPU_STREAMS_H

#include <stdint.h>

typedef enum ifn_cpu_streams {
    IFN_STREAMS_SEVERAL, /* several at once, each with software prefetch */
    IFN_STREAM_FOLLOWED, /* one, left to the hardware prefetcher */
    IFN_STREAM_FETCHED,  /* one, with software prefetch */
    IFN_STREAMS_COUNT
} ifn_cpu_streams;

/* The fastest choice on this processor. */
ifn_cpu_streams ifn_cpu_best_streams(void);

/* Makes ifn_cpu_best_streams return `streams` from now on, whatever the processor is. */
void ifn_cpu_assume_streams(ifn_cpu_streams streams);

/* The fastest choice on any x86. vendor: the 12 letters of leaf 0; family: that of leaf 1, its two fields added. */
ifn_cpu_streams ifn_cpu_streams_of(const char vendor[12], uint32_t family);
/* The fastest choice on this x86; IFN_STREAMS_SEVERAL on other architectures. */
ifn_cpu_streams ifn_cpu_streams_x86(void);

#endif
