#define _GNU_SOURCE /* memfd_create */
#include "fence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Address space: pages come when they are written. */
static const size_t room = (size_t)16 << 30;
static const size_t page = 4096;

/* A run of bytes of the room, in ascending order, one after the other. */
typedef struct block {
    struct block *next;
    size_t begin, bytes;
    int is_used;
} block;

struct fence {
    unsigned char *outside; /* PROT_NONE */
    unsigned char *inside;
    pthread_mutex_t lock;
    block *blocks;
    ifn_allocator buffers;
};

static int split(block *b, size_t bytes)
{
    if (b->bytes == bytes)
        return 1;
    block *const rest = malloc(sizeof *rest);
    if (!rest)
        return 0;
    *rest = (block){b->next, b->begin + bytes, b->bytes - bytes, 0};
    b->next = rest;
    b->bytes = bytes;
    return 1;
}

/* A page is left between two blocks, and what is handed out begins with anything but zeros. */
static void *take(void *cookie, size_t bytes, size_t align)
{
    fence *const self = cookie;
    void *taken = NULL;
    if (align > page || bytes > room - 2 * page)
        return NULL;
    const size_t whole = (bytes + page - 1) / page * page + page;
    pthread_mutex_lock(&self->lock);
    for (block *b = self->blocks; b && !taken; b = b->next)
        if (!b->is_used && b->bytes >= whole && split(b, whole)) {
            b->is_used = 1;
            taken = self->outside + b->begin;
        }
    pthread_mutex_unlock(&self->lock);
    if (taken)
        memset(fence_inside(self, taken), 0xff, bytes < page ? bytes : page);
    return taken;
}

static void join(block *b)
{
    while (b->next && !b->is_used && !b->next->is_used) {
        block *const next = b->next;
        b->bytes += next->bytes;
        b->next = next->next;
        free(next);
    }
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    fence *const self = cookie;
    (void)bytes;
    if (!p)
        return;
    pthread_mutex_lock(&self->lock);
    for (block *b = self->blocks; b; b = b->next)
        if (self->outside + b->begin == p) {
            b->is_used = 0;
            (void)madvise(self->inside + b->begin, b->bytes, MADV_REMOVE);
        }
    for (block *b = self->blocks; b; b = b->next)
        join(b);
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

static int map_twice(fence *self)
{
    const int file = memfd_create("fence", 0);
    if (file < 0)
        return 0;
    self->outside = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    self->inside = ftruncate(file, (off_t)room) != 0 ? MAP_FAILED
                                                     : mmap(NULL, room, PROT_READ | PROT_WRITE,
                                                            MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    return self->outside != MAP_FAILED && self->inside != MAP_FAILED;
}

fence *fence_open(void)
{
    fence *const self = calloc(1, sizeof *self);
    block *const all = calloc(1, sizeof *all);
    if (!self || !all) {
        free(self);
        free(all);
        return NULL;
    }
    self->outside = self->inside = MAP_FAILED;
    self->buffers = (ifn_allocator){take, resize, give_back, self};
    self->blocks = all;
    all->bytes = room;
    pthread_mutex_init(&self->lock, NULL);
    if (map_twice(self))
        return self;
    fence_close(self);
    return NULL;
}

void fence_close(fence *self)
{
    if (!self)
        return;
    if (self->outside != MAP_FAILED)
        munmap(self->outside, room);
    if (self->inside != MAP_FAILED)
        munmap(self->inside, room);
    while (self->blocks) {
        block *const next = self->blocks->next;
        free(self->blocks);
        self->blocks = next;
    }
    pthread_mutex_destroy(&self->lock);
    free(self);
}

const ifn_allocator *fence_buffers(fence *self)
{
    return &self->buffers;
}

void *fence_inside(const fence *self, const void *p)
{
    const uintptr_t at = (uintptr_t)p, begin = (uintptr_t)self->outside;
    return at >= begin && at - begin < room ? self->inside + (at - begin) : (void *)at;
}
