#include "counted_alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

static atomic_int_least64_t n_requests;
/* The two sizes of the latest block that was freed with another size. */
static atomic_size_t bytes_asked, bytes_given;

/* A header lies before each block, padded to the block's alignment and to a cache line at least, so that the block is
 * as well aligned as without it. */
enum { LINE = 64 };

typedef struct head {
    size_t bytes, room;
} head;

static head head_of(const void *p)
{
    head h;
    memcpy(&h, (const unsigned char *)p - sizeof h, sizeof h);
    return h;
}

static void *take(void *cookie, size_t bytes, size_t align)
{
    const ifn_allocator *const own = ifn_default_allocator();
    const head h = {bytes, align > LINE ? align : LINE};
    (void)cookie;
    atomic_fetch_add(&n_requests, 1);
    if (bytes > SIZE_MAX - h.room)
        return NULL;
    unsigned char *const block = own->alloc(own->cookie, h.room + bytes, align);
    if (!block)
        return NULL;
    memcpy(block + h.room - sizeof h, &h, sizeof h);
    return block + h.room;
}

/* An array of 0 bytes is allocated as one byte. */
static void compare(size_t asked, size_t given)
{
    if (asked == (given ? given : 1))
        return;
    atomic_store(&bytes_asked, asked);
    atomic_store(&bytes_given, given);
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    const ifn_allocator *const own = ifn_default_allocator();
    (void)cookie;
    if (!p)
        return;
    const head h = head_of(p);
    compare(h.bytes, bytes);
    own->free(own->cookie, (unsigned char *)p - h.room, h.room + h.bytes);
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    unsigned char *const fresh = take(cookie, bytes, align);
    if (!fresh || !p)
        return fresh;
    const size_t kept = head_of(p).bytes;
    memcpy(fresh, p, kept < bytes ? kept : bytes);
    give_back(cookie, p, old_bytes);
    return fresh;
}

const ifn_allocator *conform_counted_allocator(void)
{
    static const ifn_allocator counted = {take, resize, give_back, NULL};
    return &counted;
}

bool conform_counted_mismatch(size_t *asked, size_t *given)
{
    *asked = atomic_exchange(&bytes_asked, 0);
    *given = atomic_exchange(&bytes_given, 0);
    return *asked != *given;
}

int64_t conform_counted_requests(void)
{
    return atomic_load(&n_requests);
}
