/* Arrays that grow by doubling, through the allocator hook. */
#ifndef IFN_GROW_H
#define IFN_GROW_H

#include <stddef.h>

#include <inferno/alloc.h>

#include "alloc_priv.h"
#include "checked.h"

/*
 * Returns an array with room for at least `need` elements, `p` itself or a reallocated one, and sets
 * *capacity to its room. NULL if there is no memory; then `p` and *capacity are unchanged. Release with
 * ifn_free_array(a, p, *capacity, size).
 */
static inline void *ifn_grow(const ifn_allocator *a, void *p, size_t *capacity, size_t need,
                             size_t size)
{
    enum { SMALLEST = 16 };
    if (need <= *capacity && p)
        return p;
    size_t wanted = *capacity > need / 2 ? *capacity * 2 : need;
    if (wanted < SMALLEST)
        wanted = SMALLEST;
    size_t bytes;
    if (!ifn_mul_size(wanted, size, &bytes))
        return NULL;
    void *moved = a->resize(a->cookie, p, p ? *capacity * size : 0, bytes, _Alignof(max_align_t));
    if (moved)
        *capacity = wanted;
    return moved;
}

#endif
