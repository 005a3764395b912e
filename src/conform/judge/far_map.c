#include "far_map.h"

#include <stdint.h>
#include <sys/mman.h>

#include <inferno/clock.h>

#include "zero_map.h"

/* The protected bytes before a tensor: 2^31 elements of four bytes. After it come as many as a guard_region has. */
static const uint64_t before = UINT64_C(1) << 33;
/* The address space probed for: a tensor of 2^32 floats and what lies before it. */
static const uint64_t probed = UINT64_C(1) << 35;
/* A single try may be slow when the machine is busy. */
enum { PATIENCE_NS = 20000000, TRIES = 4 };

static bool probe(void)
{
    if (probed > SIZE_MAX / 4)
        return false;
    const uint64_t begin = ifn_clock_ns();
    void *const map = guard_map_nothing((size_t)probed);
    if (!map)
        return false;
    const bool is_readable = mprotect(map, (size_t)probed, PROT_READ) == 0;
    munmap(map, (size_t)probed);
    return is_readable && ifn_clock_ns() - begin < PATIENCE_NS;
}

bool far_map_has_room(void)
{
    static enum { UNKNOWN, NO, YES } known;
    if (known == UNKNOWN) {
        known = NO;
        for (int i = 0; i < TRIES && known == NO; i++)
            known = probe() ? YES : NO;
    }
    return known == YES;
}

bool far_map_open(far_map *self, size_t bytes, size_t overread)
{
    const size_t page = page_bytes();
    const size_t body = (bytes + overread + page - 1) / page * page;
    const size_t after = guard_outside();
    *self = (far_map){.bytes = bytes};
    unsigned char *const map = guard_map_nothing((size_t)before + body + after);
    if (!map)
        return false;
    self->region = (guard_region){.map = map,
                                  .body = map + (size_t)before,
                                  .map_bytes = (size_t)before + body + after,
                                  .body_bytes = body};
    self->at = self->region.body + body - overread - bytes;
    if (mprotect(self->region.body, body, PROT_READ) == 0)
        return true;
    far_map_close(self);
    return false;
}

void far_map_close(far_map *self)
{
    guard_region_close(&self->region);
    self->at = NULL;
}

bool far_map_allow(const far_map *self, size_t offset, size_t bytes, bool may_write)
{
    const size_t page = page_bytes();
    const uintptr_t base = (uintptr_t)self->region.body;
    const uintptr_t first = ((uintptr_t)self->at + offset - base) / page * page;
    const uintptr_t last = ((uintptr_t)self->at + offset + bytes - base + page - 1) / page * page;
    return mprotect(self->region.body + first, last - first,
                    may_write ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}
