#include "fail_alloc.h"

#include <stdlib.h>
#include <string.h>

static void *fa_alloc(void *cookie, size_t bytes, size_t align)
{
    fail_alloc *self = cookie;
    const long call = self->n_calls++;
    if (bytes > self->largest)
        self->largest = bytes;
    if (self->fail_at >= 0 && (call == self->fail_at || (self->fail_from && call > self->fail_at)))
        return NULL;
    if (align < sizeof(void *))
        align = sizeof(void *);
    const size_t rounded = (bytes + align - 1) / align * align;
    void *p = bytes <= rounded ? aligned_alloc(align, rounded) : NULL;
    if (!p)
        return NULL;
    memset(p, 0xa5, rounded);
    self->live_bytes += bytes;
    self->live_blocks++;
    if (self->live_bytes > self->peak_bytes)
        self->peak_bytes = self->live_bytes;
    return p;
}

static void fa_free(void *cookie, void *p, size_t bytes)
{
    fail_alloc *self = cookie;
    if (!p)
        return;
    self->live_bytes -= bytes;
    self->live_blocks--;
    free(p);
}

static void *fa_resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    void *moved = fa_alloc(cookie, bytes, align);
    if (!moved)
        return NULL;
    if (p)
        memcpy(moved, p, old_bytes < bytes ? old_bytes : bytes);
    fa_free(cookie, p, old_bytes);
    return moved;
}

void fail_alloc_init(fail_alloc *self, long fail_at)
{
    *self = (fail_alloc){.allocator = {fa_alloc, fa_resize, fa_free, self}, .fail_at = fail_at};
}
