#include "device_image.h"

#include <stdlib.h>
#include <string.h>

#include "guard_arena.h"
#include "slot.h"

/* A tensor's address on the device equals its address on the host modulo LINE. */
enum { LINE = 64, REUSED = 0x5b };

_Static_assert(GUARD_SLACK % LINE == 0 && GUARD_SLACK >= IFN_MAX_OVERREAD, "what a band holds");

void device_image_open(device_image *self, ifn_backend *device)
{
    *self = (device_image){.device = device};
}

static void free_all(device_image *self)
{
    const ifn_allocator *const buffers = self->device ? self->device->buffers : NULL;
    if (self->base)
        buffers->free(buffers->cookie, self->base, self->bytes);
    free(self->room);
    self->base = self->room = NULL;
    self->bytes = 0;
}

void device_image_close(device_image *self)
{
    free_all(self);
    self->device = NULL;
}

void device_image_begin(device_image *self, size_t overread)
{
    self->n = 0;
    self->used = 0;
    self->overread = overread;
    self->turn++;
    self->poison = self->turn % 2 ? 0 : GUARD_NAN;
    self->which = (int)(self->turn % PLACE_COUNT) | self->poison;
}

static uintptr_t begin_of(const device_range *r)
{
    return (uintptr_t)r->host;
}

static bool overlap(const device_range *a, const device_range *b)
{
    return begin_of(a) == begin_of(b) ||
           (begin_of(a) < begin_of(b) + b->bytes && begin_of(b) < begin_of(a) + a->bytes);
}

static device_range united(const device_range *a, const device_range *b)
{
    const device_range *const first = begin_of(a) <= begin_of(b) ? a : b;
    const uintptr_t end_a = begin_of(a) + a->bytes, end_b = begin_of(b) + b->bytes;
    device_range r = *first;
    r.bytes = (end_a > end_b ? end_a : end_b) - begin_of(first);
    r.is_written = a->is_written || b->is_written;
    return r;
}

bool device_image_add(device_image *self, const char *name, const void *host, size_t bytes,
                      bool is_written)
{
    device_range fresh = {.name = name,
                          .host = (unsigned char *)(uintptr_t)host,
                          .bytes = bytes,
                          .is_written = is_written};
    for (int i = 0; i < self->n; i++)
        if (overlap(&self->ranges[i], &fresh)) {
            fresh = united(&self->ranges[i], &fresh);
            self->ranges[i] = self->ranges[--self->n];
            i = -1; /* it may overlap others now */
        }
    if (self->n == DEVICE_RANGES)
        return false;
    self->ranges[self->n++] = fresh;
    return true;
}

/* --- there and back --- */

static size_t round_up(size_t n)
{
    return (n + LINE - 1) / LINE * LINE;
}

static void place_all(device_image *self)
{
    for (int i = 0; i < self->n; i++) {
        device_range *const r = &self->ranges[i];
        r->at = round_up(self->used) + GUARD_SLACK + begin_of(r) % LINE;
        self->used = r->at + r->bytes + GUARD_SLACK;
    }
}

/* Copies bytes [at, at + bytes) of `room` to the same place of the device buffer. */
static ifn_status copy_some(const device_image *self, size_t at, size_t bytes, int32_t lane)
{
    ifn_copy_in_args a =
        IFN_ARGS(copy_in, .out = self->base + at, .host = self->room + at, .bytes = bytes);
    a.call.lane = lane;
    return bytes ? ifn_copy_in(self->device, &a) : IFN_OK;
}

/* Resizes the device buffer. resize must keep its content; `forgets` notes if it does not. */
static bool grow(device_image *self, size_t bytes)
{
    const ifn_allocator *const buffers = self->device->buffers;
    const size_t held = self->bytes;
    unsigned char *const back = self->room + held;
    conform_poison(self->room, held, 0);
    if (copy_some(self, 0, held, 0) != IFN_OK ||
        ifn_backend_synchronize(self->device, IFN_ALL_LANES) != IFN_OK)
        return false;
    void *const base = buffers->resize(buffers->cookie, self->base, held, bytes, LINE);
    if (!base)
        return false;
    self->base = base;
    self->bytes = bytes;
    memset(back, 0, held);
    ifn_copy_out_args a = IFN_ARGS(copy_out, .x = self->base, .host = back, .bytes = held);
    self->forgets |=
        ifn_copy_out(self->device, &a) == IFN_OK && memcmp(self->room, back, held) != 0;
    return true;
}

static bool take(device_image *self, size_t bytes)
{
    const ifn_allocator *const buffers = self->device->buffers;
    self->base = buffers->alloc(buffers->cookie, bytes, LINE);
    self->bytes = bytes;
    return self->base != NULL;
}

/* Grows the buffers by doubling, so that a run allocates a few times and not once for each case. */
static bool make_room(device_image *self)
{
    enum { LEAST = (1 << 16) - 61 }; /* its doublings are no whole pages or lines either */
    size_t bytes = self->bytes ? self->bytes : LEAST;
    if (self->used <= self->bytes)
        return true;
    while (bytes < self->used)
        bytes *= 2;
    free(self->room);
    self->room = malloc(bytes);
    if (self->room && (self->base ? grow(self, bytes) : take(self, bytes)))
        return true;
    free_all(self);
    return false;
}

/* The bands of range i: the first byte of the one before it, and of the one after it. */
static unsigned char *band_before(const device_image *self, int i)
{
    return self->room + self->ranges[i].at - GUARD_SLACK;
}

static unsigned char *band_after(const device_image *self, int i)
{
    return self->room + self->ranges[i].at + self->ranges[i].bytes;
}

/* Overwrites `room`: a copy_in that has returned may not read it any more. */
static void spoil_room(const device_image *self)
{
    enum { SPOILT = 0xa7 };
    memset(self->room, SPOILT, self->used);
}

static ifn_status copy_in(const device_image *self, int32_t lane)
{
    const size_t n = self->n_copies > 1 ? self->n_copies : 1;
    for (size_t i = 0; i < n; i++) {
        const size_t begin = self->used * i / n, end = self->used * (i + 1) / n;
        IFN_TRY(copy_some(self, begin, end - begin, lane == IFN_ALL_LANES ? 0 : lane));
    }
    if (ifn_backend_defers(self->device))
        spoil_room(self);
    return lane == IFN_ALL_LANES ? ifn_backend_synchronize(self->device, lane) : IFN_OK;
}

ifn_status device_image_copy_in(device_image *self, int32_t lane)
{
    place_all(self);
    if (!make_room(self))
        return IFN_ERR_NOMEM;
    const unsigned char *end = self->room;
    for (int i = 0; i < self->n; i++) {
        const device_range *const r = &self->ranges[i];
        unsigned char *const after = band_after(self, i);
        guard_lay_slack((unsigned char *)(uintptr_t)end, self->room + r->at, 0, self->poison);
        memcpy(self->room + r->at, r->host, r->bytes);
        guard_lay_slack(after, after + GUARD_SLACK, self->overread, self->which);
        end = after + GUARD_SLACK;
    }
    return copy_in(self, lane);
}

ifn_status device_image_reuse(device_image *self, int32_t lane)
{
    for (int i = 0; i < self->n; i++) {
        device_range *const r = &self->ranges[i];
        r->is_reused = !r->is_written;
        if (!r->is_reused)
            continue;
        memset(self->room + r->at, REUSED, r->bytes);
        IFN_TRY(copy_some(self, r->at, r->bytes, lane));
    }
    spoil_room(self);
    return IFN_OK;
}

ifn_status device_image_copy_out(device_image *self, int32_t lane)
{
    ifn_copy_out_args a =
        IFN_ARGS(copy_out, .x = self->base, .host = self->room, .bytes = self->used);
    a.call.lane = lane;
    return self->used ? ifn_copy_out(self->device, &a) : IFN_OK;
}

void *device_image_address(const device_image *self, const void *host)
{
    const uintptr_t at = (uintptr_t)host;
    for (int i = 0; i < self->n; i++) {
        const device_range *const r = &self->ranges[i];
        if (at == begin_of(r) || (at > begin_of(r) && at - begin_of(r) < r->bytes))
            return self->base + r->at + (at - begin_of(r));
    }
    return NULL;
}

int device_image_slack_changed(const device_image *self, int i, int64_t *offset)
{
    const unsigned char *const at = device_image_now(self, i), *const after = band_after(self, i);
    const int n =
        guard_count_changed(after, after + GUARD_SLACK, self->overread, self->which, at, offset);
    return n ? n : guard_count_changed(band_before(self, i), at, 0, self->poison, at, offset);
}

const unsigned char *device_image_now(const device_image *self, int i)
{
    return self->room + self->ranges[i].at;
}

int device_image_is_kept(const device_image *self, int i)
{
    const device_range *const r = &self->ranges[i];
    const unsigned char *const now = device_image_now(self, i);
    if (!r->is_reused)
        return memcmp(r->host, now, r->bytes) == 0;
    for (size_t k = 0; k < r->bytes; k++)
        if (now[k] != REUSED)
            return 0;
    return 1;
}
