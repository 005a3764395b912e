/* Short forms of the allocator hook for the library's own use. */
#ifndef IFN_ALLOC_PRIV_H
#define IFN_ALLOC_PRIV_H

#include <stddef.h>

#include <inferno/alloc.h>

/* The alignment of all memory that ops use: one cache line, one 512-bit vector. */
#define IFN_ALIGN ((size_t)64)

static inline const ifn_allocator *ifn_allocator_or_default(const ifn_allocator *a)
{
    return a ? a : ifn_default_allocator();
}

/* count * size bytes; NULL if that overflows or there is no memory. */
void *ifn_alloc_array(const ifn_allocator *a, size_t count, size_t size);

/* The same, zeroed. */
void *ifn_alloc_zeroed(const ifn_allocator *a, size_t count, size_t size);

/* Releases an array of ifn_alloc_array or ifn_alloc_zeroed. */
void ifn_free_array(const ifn_allocator *a, void *p, size_t count, size_t size);

#endif
