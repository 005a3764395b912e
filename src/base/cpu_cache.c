#include "cpu_cache.h"

#include <stdatomic.h>
#include <unistd.h>

enum { UNTOLD = 1 << 20 };

static int64_t ask(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (bytes > 0)
        return bytes;
#endif
    return UNTOLD;
}

/* Asks once and keeps the answer: some systems execute cpuid for it, which is slow in a virtual machine. */
int64_t ifn_cpu_l2_bytes(void)
{
    static _Atomic int64_t answer;
    int64_t bytes = atomic_load_explicit(&answer, memory_order_relaxed);
    if (bytes == 0) {
        bytes = ask();
        atomic_store_explicit(&answer, bytes, memory_order_relaxed);
    }
    return bytes;
}
