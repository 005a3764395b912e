#include "cpu_streams.h"

#include <stdatomic.h>

#include "cpu_priv.h"

static atomic_int known; /* 0: nobody has asked */

int ifn_cpu_streams(void)
{
    int n = atomic_load_explicit(&known, memory_order_relaxed);
    if (n == 0) {
        n = ifn_cpu_follows_streams_x86() ? 1 : 4;
        atomic_store_explicit(&known, n, memory_order_relaxed);
    }
    return n;
}

void ifn_cpu_assume_streams(int n)
{
    atomic_store_explicit(&known, n, memory_order_relaxed);
}
