#include "slabs.h"

#include <pthread.h>
#include <stdint.h>

#include <inferno/huge_pages.h>

#include "alloc_priv.h"
#include "arena.h"
#include "checked.h"

/* A new slab is as large as all earlier ones together, up to this limit, so that little is left unused in the
 * end; a first block that is larger gets a slab of its size. */
enum { MOST_BYTES = 64 << 20 };

/* The header of a slab. */
typedef struct slab {
    struct slab *next;
    const ifn_allocator *alloc;
    size_t bytes; /* of the slab, header included */
    ifn_arena arena;
    size_t n_blocks; /* blocks that are taken */
} slab;

enum { HEAD_BYTES = (sizeof(slab) + IFN_ALIGN - 1) / IFN_ALIGN * IFN_ALIGN };

struct ifn_slabs {
    const ifn_allocator *alloc; /* of this struct; slabs have their own */
    pthread_mutex_t lock;
    slab *first; /* the newest */
    size_t bytes;
};

ifn_slabs *ifn_slabs_open(const ifn_allocator *alloc)
{
    ifn_slabs *const self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    if (!self)
        return NULL;
    self->alloc = alloc;
    pthread_mutex_init(&self->lock, NULL);
    return self;
}

static void free_slab(ifn_slabs *self, slab *s)
{
    ifn_arena_fini(&s->arena);
    self->bytes -= s->bytes;
    s->alloc->free(s->alloc->cookie, s, s->bytes);
}

/* Bytes that a block takes in a slab, with the gap after it; 0 if that overflows. */
static size_t filled_bytes(size_t bytes)
{
    ifn_arena measure;
    ifn_arena_init(&measure, NULL, 0);
    (void)ifn_arena_take(&measure, 1, bytes);
    return measure.failed ? 0 : measure.used;
}

static slab *add_slab(ifn_slabs *self, const ifn_allocator *alloc, size_t least)
{
    size_t bytes;
    if (!ifn_add_size(least, HEAD_BYTES, &bytes))
        return NULL;
    const size_t as_before = self->bytes < MOST_BYTES ? self->bytes : MOST_BYTES;
    bytes = bytes < as_before ? as_before : bytes;
    const size_t align = bytes < IFN_HUGE_PAGE ? IFN_ALIGN : IFN_HUGE_PAGE;
    slab *const s = alloc->alloc(alloc->cookie, bytes, align);
    if (!s)
        return NULL;
    (void)ifn_advise_huge_pages(s, bytes);
    *s = (slab){.next = self->first, .alloc = alloc, .bytes = bytes};
    ifn_arena_init(&s->arena, (unsigned char *)s + HEAD_BYTES, bytes - HEAD_BYTES);
    self->bytes += bytes;
    self->first = s;
    return s;
}

static void *take(ifn_slabs *self, const ifn_allocator *alloc, size_t bytes)
{
    const size_t filled = filled_bytes(bytes);
    slab *s = self->first;
    if (filled == 0)
        return NULL;
    if (!s || s->alloc != alloc || s->arena.bytes - s->arena.used < filled)
        s = add_slab(self, alloc, filled);
    if (!s)
        return NULL;
    s->n_blocks++;
    return ifn_arena_take(&s->arena, 1, bytes);
}

void *ifn_slabs_take(ifn_slabs *self, const ifn_allocator *alloc, size_t bytes)
{
    pthread_mutex_lock(&self->lock);
    void *const block = take(self, alloc, bytes);
    pthread_mutex_unlock(&self->lock);
    return block;
}

static bool holds(const slab *s, const void *block)
{
    return (uintptr_t)block - (uintptr_t)s < s->bytes;
}

void ifn_slabs_give(ifn_slabs *self, void *block)
{
    pthread_mutex_lock(&self->lock);
    slab **at = &self->first;
    while (!holds(*at, block))
        at = &(*at)->next;
    slab *const s = *at;
    if (--s->n_blocks == 0) {
        *at = s->next;
        free_slab(self, s);
    }
    pthread_mutex_unlock(&self->lock);
}

void ifn_slabs_close(ifn_slabs *self)
{
    if (!self)
        return;
    pthread_mutex_destroy(&self->lock);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}
