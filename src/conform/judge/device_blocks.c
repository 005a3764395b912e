#include "device_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "guard_arena.h"
#include "slot.h"

enum { ALIGN = 4096 }; /* the largest alignment that a block gets */

static ifn_status lay_out(device_blocks *self)
{
    conform_poison(self->seen, self->bytes, 0);
    ifn_copy_in_args a =
        IFN_ARGS(copy_in, .out = self->base, .host = self->seen, .bytes = self->bytes);
    IFN_TRY(ifn_copy_in(self->device, &a));
    return ifn_backend_synchronize(self->device, IFN_ALL_LANES);
}

ifn_status device_blocks_open(device_blocks *self, ifn_backend *device,
                              const ifn_allocator *buffers, size_t bytes)
{
    *self = (device_blocks){.device = device, .buffers = buffers, .bytes = bytes};
    if (bytes == 0 || bytes > DEVICE_BLOCKS_MOST)
        return IFN_OK;
    self->seen = malloc(bytes);
    self->now = malloc(bytes);
    if (self->seen && self->now)
        self->base = buffers->alloc(buffers->cookie, bytes, ALIGN);
    const ifn_status status = self->base ? lay_out(self) : IFN_OK;
    if (!self->base || status != IFN_OK)
        device_blocks_close(self);
    return status;
}

void device_blocks_close(device_blocks *self)
{
    if (self->base)
        self->buffers->free(self->buffers->cookie, self->base, self->bytes);
    free(self->seen);
    free(self->now);
    *self = (device_blocks){.base = NULL};
}

void *device_blocks_take(device_blocks *self, size_t bytes, size_t align)
{
    if (!self->base || align > ALIGN)
        return NULL;
    const size_t at = (self->used + GUARD_SLACK + align - 1) / align * align;
    if (at > self->bytes || self->bytes - at < GUARD_SLACK ||
        bytes > self->bytes - at - GUARD_SLACK)
        return NULL;
    self->used = at + bytes;
    return self->base + at;
}

ifn_status device_blocks_copy(device_blocks *self, void *to, const void *from, size_t bytes)
{
    ifn_copy_out_args out = IFN_ARGS(copy_out, .x = from, .host = self->now, .bytes = bytes);
    ifn_copy_in_args in = IFN_ARGS(copy_in, .out = to, .host = self->now, .bytes = bytes);
    if (bytes > self->bytes)
        return IFN_ERR_NOMEM;
    IFN_TRY(ifn_copy_out(self->device, &out));
    IFN_TRY(ifn_copy_in(self->device, &in));
    return ifn_backend_synchronize(self->device, 0);
}

ifn_status device_blocks_look(device_blocks *self)
{
    ifn_copy_out_args a =
        IFN_ARGS(copy_out, .x = self->base, .host = self->now, .bytes = self->bytes);
    if (!self->base)
        return IFN_OK;
    IFN_TRY(ifn_backend_synchronize(self->device, IFN_ALL_LANES));
    return ifn_copy_out(self->device, &a);
}

void device_blocks_accept(device_blocks *self)
{
    if (self->base)
        memcpy(self->seen, self->now, self->bytes);
}

/* Counts the changed bytes of [from, to) in the buffer. *first is set to the first of them, or left alone if there is
 * none. */
static int count_changed(const device_blocks *self, size_t from, size_t to, size_t *first)
{
    int n = 0;
    if (memcmp(self->seen + from, self->now + from, to - from) == 0)
        return 0;
    for (size_t i = from; i < to; i++)
        if (self->seen[i] != self->now[i] && n++ == 0)
            *first = i;
    return n;
}

int device_blocks_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                          int64_t *offset)
{
    const size_t at = (size_t)(block - self->base);
    size_t first = at;
    const int n = count_changed(self, at, at + bytes, &first);
    *offset = (int64_t)(first - at);
    return n;
}

int device_blocks_slack_changed(const device_blocks *self, const unsigned char *block, size_t bytes,
                                int64_t *offset)
{
    const size_t at = (size_t)(block - self->base), end = at + bytes;
    size_t first = end;
    int n = count_changed(self, end, end + GUARD_SLACK, &first);
    if (n == 0)
        n = count_changed(self, at - GUARD_SLACK, at, &first);
    *offset = (int64_t)first - (int64_t)at;
    return n;
}
