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

/* Asked once: for some systems this is a question to the processor, and a guest's costs dear. */
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
