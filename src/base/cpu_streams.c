#include "cpu_streams.h"

#include <stdatomic.h>

enum { UNKNOWN = -1 };
static atomic_int answer = UNKNOWN;

ifn_cpu_streams ifn_cpu_best_streams(void)
{
    if (atomic_load_explicit(&answer, memory_order_relaxed) == UNKNOWN)
        ifn_cpu_assume_streams(ifn_cpu_streams_x86());
    return (ifn_cpu_streams)atomic_load_explicit(&answer, memory_order_relaxed);
}

void ifn_cpu_assume_streams(ifn_cpu_streams streams)
{
    atomic_store_explicit(&answer, (int)streams, memory_order_relaxed);
}
