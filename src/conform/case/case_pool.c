#include "case_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/backend.h>

#include "zero_map.h"

/* Each chunk has IFN_MAX_OVERREAD more bytes after its end, because ops may read past their buffers. */
enum { ALIGN = 64, CHUNK_BYTES = 1 << 20 };

struct conform_chunk {
    struct conform_chunk *next;
    size_t bytes, used;
    size_t dirty;        /* bytes from here on were never handed out and are zero */
    unsigned char *data; /* aligned to ALIGN, inside the allocation after this struct */
};

void conform_out_of_memory(size_t bytes, const char *what)
{
    fprintf(stderr, "inferno: conform: out of memory: %zu bytes for %s\n", bytes, what);
    exit(2);
}

void conform_pool_init(conform_pool *self)
{
    *self = (conform_pool){NULL, NULL, 0, NULL};
}

static struct conform_chunk *start_chunk(void *memory, size_t bytes)
{
    struct conform_chunk *c = memory;
    const uintptr_t after = (uintptr_t)(c + 1);
    *c = (struct conform_chunk){NULL, bytes, 0, 0,
                                (unsigned char *)(c + 1) + (ALIGN - after % ALIGN) % ALIGN};
    return c;
}

void conform_pool_init_shared(conform_pool *self, size_t bytes)
{
    void *const map = zero_map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (!map)
        conform_out_of_memory(bytes, "the cases of a batch");
    conform_pool_init(self);
    self->first = start_chunk(map, bytes - sizeof(struct conform_chunk) - ALIGN - IFN_MAX_OVERREAD);
    self->current = self->first;
    self->shared_bytes = bytes;
}

size_t conform_pool_used(const conform_pool *self)
{
    size_t used = 0;
    for (const struct conform_chunk *c = self->first; c; c = c->next)
        used += c->used;
    return used;
}

void conform_pool_reset(conform_pool *self)
{
    for (struct conform_chunk *c = self->first; c; c = c->next)
        c->used = 0;
    self->current = self->first;
}

void conform_pool_fini(conform_pool *self)
{
    if (self->shared_bytes)
        munmap(self->first, self->shared_bytes);
    for (struct conform_chunk *c = self->shared_bytes ? NULL : self->first, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    conform_pool_init(self);
}

/* Jumps to `exhausted`, or ends the program. */
static _Noreturn void give_up(const conform_pool *self, size_t bytes)
{
    if (self->exhausted)
        longjmp(*self->exhausted, 1);
    conform_out_of_memory(bytes, "the truth of a case");
}

static struct conform_chunk *new_chunk(const conform_pool *self, size_t bytes)
{
    struct conform_chunk *c = calloc(1, sizeof *c + bytes + ALIGN + IFN_MAX_OVERREAD);
    if (!c)
        give_up(self, bytes);
    return start_chunk(c, bytes);
}

/* The chunk with room for `bytes`: the current one, one after it, or a new one. */
static struct conform_chunk *chunk_for(conform_pool *self, size_t bytes)
{
    struct conform_chunk **link = self->current ? &self->current : &self->first;
    for (; *link; link = &(*link)->next)
        if ((*link)->bytes - (*link)->used >= bytes)
            return *link;
    if (self->shared_bytes)
        give_up(self, bytes);
    struct conform_chunk *fresh = new_chunk(self, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    struct conform_chunk **end = &self->first;
    while (*end)
        end = &(*end)->next;
    *end = fresh;
    return fresh;
}

/* Takes memory from a chunk; the first *n_dirty bytes of it may be other than zero. */
static unsigned char *take(conform_pool *self, size_t count, size_t size, size_t *n_dirty)
{
    const size_t most = PTRDIFF_MAX / 2;
    if (size > 0 && count > most / size)
        give_up(self, most);
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    struct conform_chunk *const c = chunk_for(self, bytes);
    const size_t from = c->used, to = from + bytes;
    *n_dirty = from < c->dirty ? (to < c->dirty ? to : c->dirty) - from : 0;
    c->dirty = to > c->dirty ? to : c->dirty;
    c->used = to;
    self->current = c;
    return c->data + from;
}

/* Clears only bytes that were used before, so that untouched pages stay untouched: of a large take little is ever
 * used. */
void *conform_pool_take(conform_pool *self, size_t count, size_t size)
{
    size_t n_dirty;
    unsigned char *const p = take(self, count, size, &n_dirty);
    memset(p, 0, n_dirty);
    return p;
}

void *conform_pool_take_raw(conform_pool *self, size_t count, size_t size)
{
    size_t n_dirty;
    return take(self, count, size, &n_dirty);
}
