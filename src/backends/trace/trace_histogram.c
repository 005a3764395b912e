#include "trace_histogram.h"

#include <math.h>

enum { PER_OCTAVE = 1 << TRACE_BUCKET_BITS };

static int highest_bit(uint64_t value)
{
    int bit = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (value >> step) {
            value >>= step;
            bit += step;
        }
    }
    return bit;
}

/* A value below 2 * PER_OCTAVE is its own bucket. */
static int bucket_of(uint64_t value)
{
    if (value < PER_OCTAVE)
        return (int)value;
    const int shift = highest_bit(value) - TRACE_BUCKET_BITS;
    const int bucket = (shift << TRACE_BUCKET_BITS) + (int)(value >> shift);
    return bucket < TRACE_BUCKETS ? bucket : TRACE_BUCKETS - 1;
}

/* The middle of a bucket, rounded down. */
static uint64_t value_of(int bucket)
{
    if (bucket < 2 * PER_OCTAVE)
        return (uint64_t)bucket;
    const int shift = (bucket >> TRACE_BUCKET_BITS) - 1;
    const uint64_t first = (uint64_t)(bucket - (shift << TRACE_BUCKET_BITS)) << shift;
    return first + (((uint64_t)1 << shift) - 1) / 2;
}

void ifn_trace_histogram_add(trace_histogram *self, uint64_t value)
{
    self->counts[bucket_of(value)]++;
}

void ifn_trace_histogram_merge(trace_histogram *self, const trace_histogram *other)
{
    for (int i = 0; i < TRACE_BUCKETS; i++)
        self->counts[i] += other->counts[i];
}

uint64_t ifn_trace_histogram_percentile(const trace_histogram *self, double share)
{
    uint64_t n = 0, seen = 0;
    for (int i = 0; i < TRACE_BUCKETS; i++)
        n += self->counts[i];
    const double wanted = ceil(share * (double)n);
    for (int i = 0; i < TRACE_BUCKETS; i++) {
        seen += self->counts[i];
        if (self->counts[i] > 0 && (double)seen >= wanted)
            return value_of(i);
    }
    return 0;
}
