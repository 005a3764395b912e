#include "counted_alloc.h"

#include <stdatomic.h>
#include <stdint.h>

static atomic_int_least64_t n_requests;

static void *take(void *cookie, size_t bytes, size_t align)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    atomic_fetch_add(&n_requests, 1);
    return own->alloc(own->cookie, bytes, align);
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    atomic_fetch_add(&n_requests, 1);
    return own->resize(own->cookie, p, old_bytes, bytes, align);
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    own->free(own->cookie, p, bytes);
}

const ifn_allocator *conform_counted_allocator(void)
{
    static const ifn_allocator counted = {take, resize, give_back, NULL};
    return &counted;
}

int64_t conform_counted_requests(void)
{
    return atomic_load(&n_requests);
}
