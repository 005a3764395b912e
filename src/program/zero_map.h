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

/* As mmap: PROT_NONE or PROT_READ | PROT_WRITE; MAP_PRIVATE, or MAP_SHARED with children. munmap gives them back. NULL:
 * there are none. Without locks and memory of its own, so that it may be called where a signal stopped another call. */
void *zero_map(size_t bytes, int protection, int sharing);

#endif
