/* The default allocator, and arrays whose size cannot overflow. */
#include "alloc_priv.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"

static void *heap_alloc(void *cookie, size_t bytes, size_t align)
{
    (void)cookie;
    if (align <= _Alignof(max_align_t))
        return malloc(bytes);
    size_t rounded;
    return ifn_round_up_size(bytes, align, &rounded) ? aligned_alloc(align, rounded) : NULL;
}

static void heap_free(void *cookie, void *p, size_t bytes)
{
    (void)cookie;
    (void)bytes;
    free(p);
}

static void *heap_resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    if (align <= _Alignof(max_align_t))
        return realloc(p, bytes);
    void *moved = heap_alloc(cookie, bytes, align);
    if (!moved)
        return NULL;
    if (p)
        memcpy(moved, p, old_bytes < bytes ? old_bytes : bytes);
    free(p);
    return moved;
}

const ifn_allocator *ifn_default_allocator(void)
{
    static const ifn_allocator heap = {heap_alloc, heap_resize, heap_free, NULL};
    return &heap;
}

/* An array whose elements are whole cache lines, such as lanes, is aligned to a cache line. */
void *ifn_alloc_array(const ifn_allocator *a, size_t count, size_t size)
{
    enum { LINE = 64 };
    const size_t align = size && size % LINE == 0 ? LINE : _Alignof(max_align_t);
    size_t bytes;
    if (!ifn_mul_size(count, size, &bytes))
        return NULL;
    return a->alloc(a->cookie, bytes ? bytes : 1, align);
}

void *ifn_alloc_zeroed(const ifn_allocator *a, size_t count, size_t size)
{
    void *p = ifn_alloc_array(a, count, size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

void ifn_free_array(const ifn_allocator *a, void *p, size_t count, size_t size)
{
    const size_t bytes = count * size;
    if (p)
        a->free(a->cookie, p, bytes ? bytes : 1);
}
