#include "mirror.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "call_slice.h"

/* --- buffers --- */

static void *take(void *cookie, size_t bytes, size_t align)
{
    mirror *const self = cookie;
    const ifn_allocator *const buffers = self->inner->buffers;
    if (self->n == self->room) {
        const int room = self->room ? 2 * self->room : 16;
        mirror_block *const more = realloc(self->blocks, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        self->blocks = more;
        self->room = room;
    }
    unsigned char *const image = calloc(1, bytes);
    unsigned char *const device = image ? buffers->alloc(buffers->cookie, bytes, align) : NULL;
    if (!device) {
        free(image);
        return NULL;
    }
    self->blocks[self->n++] = (mirror_block){device, image, bytes};
    return device;
}

static void give(void *cookie, void *p, size_t bytes)
{
    mirror *const self = cookie;
    for (int i = 0; p && i < self->n; i++) {
        if (self->blocks[i].device != p)
            continue;
        free(self->blocks[i].image);
        self->blocks[i] = self->blocks[--self->n];
    }
    self->inner->buffers->free(self->inner->buffers->cookie, p, bytes);
}

/* Fails: no run under a tap resizes a buffer. */
static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    (void)cookie;
    (void)p;
    (void)old_bytes;
    (void)bytes;
    (void)align;
    return NULL;
}

void conform_mirror_open(mirror *self, ifn_backend *inner)
{
    *self = (mirror){.inner = inner,
                     .device = ifn_backend_implementer(inner, IFN_OP_COPY_IN),
                     .buffers = {take, resize, give, self}};
}

void conform_mirror_close(mirror *self)
{
    for (int i = 0; i < self->n; i++)
        free(self->blocks[i].image);
    free(self->blocks);
}

/* --- there and back --- */

static bool is_within(const unsigned char *begin, size_t bytes, const void *p)
{
    const uintptr_t at = (uintptr_t)p, from = (uintptr_t)begin;
    return at >= from && at - from < bytes;
}

static const void *image_of(const mirror *self, const void *p)
{
    for (int i = 0; i < self->n; i++)
        if (is_within(self->blocks[i].device, self->blocks[i].bytes, p))
            return self->blocks[i].image + ((uintptr_t)p - (uintptr_t)self->blocks[i].device);
    return p;
}

/* Returns the device address of an address in an image; NULL: it is in no image. */
static unsigned char *buffer_of(const mirror *self, const void *p)
{
    for (int i = 0; i < self->n; i++)
        if (is_within(self->blocks[i].image, self->blocks[i].bytes, p))
            return self->blocks[i].device + ((uintptr_t)p - (uintptr_t)self->blocks[i].image);
    return NULL;
}

static void copy(mirror *self, void *image, size_t bytes, bool is_in)
{
    unsigned char *const buffer = buffer_of(self, image);
    if (!buffer || bytes == 0 || self->status != IFN_OK)
        return;
    self->status =
        is_in ? ifn_copy_in(self->device,
                            &IFN_ARGS(copy_in, .out = buffer, .host = image, .bytes = bytes))
              : ifn_copy_out(self->device,
                             &IFN_ARGS(copy_out, .host = image, .x = buffer, .bytes = bytes));
}

static int copy_read(void *cookie, const call_view *v, int t)
{
    const conform_role role = v->l.t[t].role;
    if (role != ROLE_OUT && !v->l.t[t].absent && !v->t[t].is_value)
        copy(cookie, v->t[t].data, conform_view_span(v, t), 0);
    return 0;
}

static int copy_written(void *cookie, const call_view *v, int t)
{
    if (conform_is_output(&v->l.t[t]))
        copy(cookie, v->t[t].data, conform_view_span(v, t), 0);
    return 0;
}

static int copy_back(void *cookie, const call_view *v, int t)
{
    if (conform_is_output(&v->l.t[t]))
        copy(cookie, v->t[t].data, conform_view_span(v, t), 1);
    return 0;
}

void conform_mirror_before(mirror *self, ifn_op op, const ifn_call *args, bool with_inputs,
                           ifn_args *out)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    memcpy(out, args, ifn_op_args_bytes(op));
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; k < s.args[i].count; k++) {
            if (!ifn_arg_is_tensor(&s.args[i]) || s.args[i].is_host)
                continue;
            const void *const p = image_of(self, ifn_arg_pointer(&s.args[i], args, k));
            memcpy(out->room + s.args[i].offset + (size_t)k * sizeof p, &p, sizeof p);
        }
    if (with_inputs)
        (void)conform_call_visit(op, &out->call, copy_read, self);
}

void conform_mirror_after(mirror *self, ifn_op op, const ifn_args *shown)
{
    (void)conform_call_visit(op, &shown->call, copy_written, self);
}

void conform_mirror_give_back(mirror *self, ifn_op op, const ifn_args *shown)
{
    (void)conform_call_visit(op, &shown->call, copy_back, self);
}
