/*
 * How a core is best asked for memory that is read once, from front to end. No numbers depend on it.
 *
 * GB/s of one thread, linear_q8 on one row:
 *
 *                                     Zen 4        Zen 5        Xeon with AVX-512
 *                                     Q8_0  Q4_K   Q8_0  Q4_K   Q8_0
 *   several streams, fetched ahead      14           34    34     16
 *   one, followed by the core           31    30     38    20     11
 *   one, fetched 8 KiB ahead            17    23     38    36
 *
 * Following a stream takes lines that are asked for in the order in which they lie. A Zen 5 follows
 * each load instruction by itself, some steps ahead: few bytes where a step is short.
 */
#ifndef IFN_CPU_STREAMS_H
#define IFN_CPU_STREAMS_H

#include <stdint.h>

typedef enum ifn_cpu_streams {
    IFN_STREAMS_SEVERAL, /* side by side, each fetched ahead */
    IFN_STREAM_FOLLOWED, /* one, left to the core */
    IFN_STREAM_FETCHED,  /* one, fetched ahead */
    IFN_STREAMS_COUNT
} ifn_cpu_streams;

/* What this processor does best. */
ifn_cpu_streams ifn_cpu_best_streams(void);

/* From now on that is the answer, whatever the processor is. */
void ifn_cpu_assume_streams(ifn_cpu_streams streams);

/* The same of any x86; vendor: the twelve letters of leaf 0; family: as leaf 1 has it, its two fields added. */
ifn_cpu_streams ifn_cpu_streams_of(const char vendor[12], uint32_t family);
/* Of this one; elsewhere IFN_STREAMS_SEVERAL. */
ifn_cpu_streams ifn_cpu_streams_x86(void);

#endif
