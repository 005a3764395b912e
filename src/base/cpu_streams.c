#include "cpu_streams.h"

#include <stdatomic.h>

#include "cpu_priv.h"

enum { UNKNOWN, NO, YES };
static atomic_int answer;

bool ifn_cpu_follows_streams(void)
{
    if (atomic_load_explicit(&answer, memory_order_relaxed) == UNKNOWN)
        ifn_cpu_assume_follows_streams(ifn_cpu_follows_streams_x86());
    return atomic_load_explicit(&answer, memory_order_relaxed) == YES;
}

void ifn_cpu_assume_follows_streams(bool follows)
{
    atomic_store_explicit(&answer, follows ? YES : NO, memory_order_relaxed);
}
