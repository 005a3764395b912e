/* Pages of zeros, from the system. */
#ifndef IFN_ZERO_MAP_H
#define IFN_ZERO_MAP_H

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static inline size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Maps zeroed pages. protection: PROT_NONE or PROT_READ | PROT_WRITE; sharing: MAP_PRIVATE, or MAP_SHARED with
 * children. NULL on failure; release with munmap. Uses neither locks nor the heap, so a signal handler may call it. */
void *zero_map(size_t bytes, int protection, int sharing);

#endif
