#define _GNU_SOURCE /* memfd_create */
#include "fence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <inferno/address_range.h>

/* Address space of a fence; the kernel allocates a page when it is first written. */
static const size_t room = (size_t)16 << 30;

struct fence {
    ifn_address_range outside; /* the addresses of buffers; no access */
    unsigned char *inside;     /* the memory, byte for byte */
    pthread_mutex_t lock;
    ifn_allocator buffers;
};

/* Fills the first IFN_ADDRESS_GAP bytes of a buffer with 0xff, so that no caller can rely on zeros. */
static void *take(void *cookie, size_t bytes, size_t align)
{
    fence *const self = cookie;
    if (align > IFN_ADDRESS_GAP)
        return NULL;
    pthread_mutex_lock(&self->lock);
    void *const taken = ifn_address_range_take(&self->outside, bytes ? bytes : 1, self);
    pthread_mutex_unlock(&self->lock);
    if (taken)
        memset(fence_inside(self, taken), 0xff, bytes < IFN_ADDRESS_GAP ? bytes : IFN_ADDRESS_GAP);
    return taken;
}

/* Frees the pages, too: the next buffer there has zeros after its first page. */
static void give_back(void *cookie, void *p, size_t bytes)
{
    fence *const self = cookie;
    size_t offset;
    (void)bytes;
    pthread_mutex_lock(&self->lock);
    const ifn_address_piece *const piece = ifn_address_range_find(&self->outside, p, &offset);
    if (piece && offset == 0) {
        const size_t pages = (piece->bytes + IFN_ADDRESS_GAP - 1) / IFN_ADDRESS_GAP;
        (void)madvise(fence_inside(self, p), pages * IFN_ADDRESS_GAP, MADV_REMOVE);
        (void)ifn_address_range_give_back(&self->outside, p);
    }
    pthread_mutex_unlock(&self->lock);
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    void *const taken = take(cookie, bytes, align);
    if (taken && p)
        memcpy(fence_inside(cookie, taken), fence_inside(cookie, p),
               old_bytes < bytes ? old_bytes : bytes);
    if (taken)
        give_back(cookie, p, old_bytes);
    return taken;
}

static int map_inside(fence *self)
{
    const int file = memfd_create("fence", 0);
    if (file < 0)
        return 0;
    self->inside = ftruncate(file, (off_t)room) != 0 ? MAP_FAILED
                                                     : mmap(NULL, room, PROT_READ | PROT_WRITE,
                                                            MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    return self->inside != MAP_FAILED;
}

/* The offset of the first buffer: beyond 32 bits, so that the fault offset_in_32_bits changes it. */
static const size_t low = (size_t)4 << 30;

fence *fence_open(void)
{
    fence *const self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->inside = MAP_FAILED;
    self->buffers = (ifn_allocator){take, resize, give_back, self};
    pthread_mutex_init(&self->lock, NULL);
    if (ifn_address_range_open(&self->outside, room) &&
        ifn_address_range_take(&self->outside, low, self) && map_inside(self))
        return self;
    fence_close(self);
    return NULL;
}

void fence_close(fence *self)
{
    if (!self)
        return;
    ifn_address_range_close(&self->outside);
    if (self->inside != MAP_FAILED)
        munmap(self->inside, room);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

const ifn_allocator *fence_buffers(fence *self)
{
    return &self->buffers;
}

void *fence_inside(const fence *self, const void *p)
{
    const uintptr_t at = (uintptr_t)p, begin = (uintptr_t)self->outside.base;
    return at >= begin && at - begin < room ? self->inside + (at - begin) : (void *)at;
}

int fence_find(fence *self, const void *p, size_t *offset, size_t *begin)
{
    size_t within;
    pthread_mutex_lock(&self->lock);
    const ifn_address_piece *const piece = ifn_address_range_find(&self->outside, p, &within);
    *begin = piece ? piece->begin : 0;
    *offset = piece ? piece->begin + within : 0;
    pthread_mutex_unlock(&self->lock);
    return piece != NULL;
}

void *fence_inside_at(const fence *self, size_t offset)
{
    return self->inside + offset;
}
