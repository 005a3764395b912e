#include "guard_block.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "slot.h"
#include "zero_map.h"

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Protects pages between the block's end and the region's, which an alignment larger than a page may leave there. */
static int protect_tail(guard_region *r, unsigned char *end)
{
    const size_t tail = (size_t)(r->body + r->body_bytes - end);
    r->body_bytes -= tail;
    return tail == 0 || mprotect(end, tail, PROT_NONE) == 0;
}

/* The canaries lie in [first_canary, block) and in [end of block, last_canary). */
static unsigned char *first_canary(const guard_block *b)
{
    return b->data - b->region.body < GUARD_SLACK ? b->region.body : b->data - GUARD_SLACK;
}

static unsigned char *last_canary(const guard_block *b)
{
    unsigned char *const end = b->data + b->bytes, *const last =
                                                       b->region.body + b->region.body_bytes;
    return last - end < GUARD_SLACK ? last : end + GUARD_SLACK;
}

static void lay_out(guard_block *b)
{
    unsigned char *const first = first_canary(b), *const end = b->data + b->bytes;
    guard_lay_slack(first, b->data, 0, 0);
    guard_lay_slack(end, last_canary(b), b->overread, 0);
    conform_poison(b->data, b->bytes, 0);
}

void *guard_block_take(guard_block *self, size_t bytes, size_t align, size_t overread)
{
    return guard_block_take_cut(self, bytes, align, overread, bytes);
}

void *guard_block_take_cut(guard_block *self, size_t bytes, size_t align, size_t overread,
                           size_t cut)
{
    const size_t page = page_bytes(), step = align > page ? align : page;
    guard_region *r = &self->region;
    *self = (guard_block){.bytes = bytes, .overread = overread};
    if (bytes > SIZE_MAX / 4 || align > SIZE_MAX / 4)
        return NULL;
    const size_t whole = round_up(bytes + overread, align);
    const size_t early = align > page || cut >= bytes ? 0 : (cut - whole) & (page - 1);
    if (!guard_region_open(r, whole + early + (align > page ? align : 0)))
        return NULL;
    const uintptr_t end = (uintptr_t)(r->body + r->body_bytes) / step * step;
    unsigned char *const last = r->body + (end - (uintptr_t)r->body);
    if (!protect_tail(r, last)) {
        guard_region_close(r);
        return NULL;
    }
    self->data = last - early - whole;
    lay_out(self);
    return self->data;
}

void guard_block_give_back(guard_block *self)
{
    guard_region_close(&self->region);
    *self = (guard_block){.data = NULL};
}

int guard_block_changed(const guard_block *self, int64_t *offset)
{
    const unsigned char *const end = self->data + self->bytes;
    const int n =
        guard_count_changed(end, last_canary(self), self->overread, 0, self->data, offset);
    return n ? n : guard_count_changed(first_canary(self), self->data, 0, 0, self->data, offset);
}

int guard_block_protect(guard_block *self, bool is_read_only)
{
    return mprotect(self->region.body, self->region.body_bytes,
                    is_read_only ? PROT_READ : PROT_READ | PROT_WRITE) == 0;
}
