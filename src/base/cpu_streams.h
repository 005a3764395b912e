/*
 * How a core is best asked for memory that is read once, from front to end. Some follow one stream
 * by themselves as fast as memory goes where next to nothing is done to what arrives; others need
 * several streams side by side. No numbers depend on the answer.
 *
 * Measured with linear_q8 on one row of Q8_0, one thread: Zen 4, 31 GB/s from one stream, 14 from
 * four fetched ahead; a Xeon with AVX-512, 11 from one, 16 from four. Following a stream takes lines
 * that are asked for in the order in which they lie.
 */
#ifndef IFN_CPU_STREAMS_H
#define IFN_CPU_STREAMS_H

#include <stdbool.h>

/* True: one stream is enough. */
bool ifn_cpu_follows_streams(void);

/* From now on that is the answer, whatever the processor is. */
void ifn_cpu_assume_follows_streams(bool follows);

#endif
