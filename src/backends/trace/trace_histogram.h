/*
 * A histogram of times, for percentiles: fixed memory, and a few instructions per added time. A bucket is
 * a 16th of a power of two wide, so its middle is within a 32nd of every value in it.
 */
#ifndef IFN_TRACE_HISTOGRAM_H
#define IFN_TRACE_HISTOGRAM_H

#include <stdint.h>

/* Up to 2^40 ns, 18 minutes; longer calls count as that long. */
enum { TRACE_BUCKET_BITS = 4, TRACE_BUCKETS = (40 - TRACE_BUCKET_BITS + 1) << TRACE_BUCKET_BITS };

/* All zero is empty. */
typedef struct trace_histogram {
    uint32_t counts[TRACE_BUCKETS];
} trace_histogram;

void ifn_trace_histogram_add(trace_histogram *self, uint64_t value);
void ifn_trace_histogram_merge(trace_histogram *self, const trace_histogram *other);

/* The value that a share (0 .. 1) of all times does not exceed; 0 if the histogram is empty. */
uint64_t ifn_trace_histogram_percentile(const trace_histogram *self, double share);

#endif
