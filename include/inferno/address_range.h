/*
 * Addresses for buffers that have none: for devices whose API hands out objects (OpenCL 1.2, Vulkan).
 * An address range reserves addresses of the process that nobody can read or write. Every buffer gets a
 * piece of it, in which pointer arithmetic works, and a look-up by address finds the object and the
 * offset into it. Inline, as a plugin links nothing. POSIX.
 *
 * Stability: experimental.
 */
#ifndef INFERNO_ADDRESS_RANGE_H
#define INFERNO_ADDRESS_RANGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* The gap between two pieces, so that an address past the end of one is in none; also their alignment. */
#define IFN_ADDRESS_GAP ((size_t)4096)

/* `bytes` of the range from `begin` on. */
typedef struct ifn_address_piece {
    size_t begin, bytes;
    void *object;
} ifn_address_piece;

/* Not thread-safe: the caller must serialise calls on one range. */
typedef struct ifn_address_range {
    unsigned char *base; /* NULL: closed */
    size_t bytes;
    ifn_address_piece *pieces; /* in ascending order */
    size_t n_pieces, room;
} ifn_address_range;

/* Reserves `bytes` of address space; no memory is taken. Returns 1, or 0 where there is none. */
static inline int ifn_address_range_open(ifn_address_range *self, size_t bytes)
{
    const int zeros = open("/dev/zero", O_RDONLY);
    memset(self, 0, sizeof *self);
    if (zeros < 0)
        return 0;
    void *const base = bytes ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE, zeros, 0) : MAP_FAILED;
    (void)close(zeros);
    if (base == MAP_FAILED)
        return 0;
    self->base = (unsigned char *)base;
    self->bytes = bytes;
    return 1;
}

/* Leaves the objects alone: the caller owns them. A closed range is fine. */
static inline void ifn_address_range_close(ifn_address_range *self)
{
    if (self->base)
        (void)munmap(self->base, self->bytes);
    free(self->pieces);
    memset(self, 0, sizeof *self);
}

static inline int ifn_address_range_grow(ifn_address_range *self)
{
    if (self->n_pieces < self->room)
        return 1;
    const size_t room = self->room ? 2 * self->room : 16;
    void *const pieces = realloc(self->pieces, room * sizeof *self->pieces);
    if (!pieces)
        return 0;
    self->pieces = (ifn_address_piece *)pieces;
    self->room = room;
    return 1;
}

/* How many pieces begin at or before `at`. */
static inline size_t ifn_address_range_before(const ifn_address_range *self, size_t at)
{
    size_t low = 0, high = self->n_pieces;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->pieces[middle].begin <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/**
 * Takes a piece of `bytes` bytes for `object` from the first gap that has room, and returns its address,
 * aligned to IFN_ADDRESS_GAP. NULL: no room is left, or `bytes` is 0.
 */
static inline void *ifn_address_range_take(ifn_address_range *self, size_t bytes, void *object)
{
    size_t begin = 0, i = 0;
    if (bytes == 0 || bytes > self->bytes || self->bytes - bytes < 2 * IFN_ADDRESS_GAP ||
        !ifn_address_range_grow(self))
        return NULL;
    const size_t whole = (bytes + IFN_ADDRESS_GAP - 1) / IFN_ADDRESS_GAP * IFN_ADDRESS_GAP;
    for (; i < self->n_pieces && self->pieces[i].begin - begin < whole + IFN_ADDRESS_GAP; i++) {
        const ifn_address_piece *const p = &self->pieces[i];
        begin = p->begin + (p->bytes + IFN_ADDRESS_GAP - 1) / IFN_ADDRESS_GAP * IFN_ADDRESS_GAP +
                IFN_ADDRESS_GAP;
    }
    if (begin > self->bytes || self->bytes - begin < whole)
        return NULL;
    memmove(&self->pieces[i + 1], &self->pieces[i],
            (self->n_pieces - i) * sizeof(ifn_address_piece));
    self->pieces[i].begin = begin;
    self->pieces[i].bytes = bytes;
    self->pieces[i].object = object;
    self->n_pieces++;
    return self->base + begin;
}

/* The piece that contains an address, its end included, or NULL; *offset counts from its begin. */
static inline const ifn_address_piece *ifn_address_range_find(const ifn_address_range *self,
                                                              const void *address, size_t *offset)
{
    const uintptr_t base = (uintptr_t)self->base, at = (uintptr_t)address;
    if (!self->base || at < base || at - base >= self->bytes)
        return NULL;
    const size_t place = (size_t)(at - base), n = ifn_address_range_before(self, place);
    if (n == 0 || place - self->pieces[n - 1].begin > self->pieces[n - 1].bytes)
        return NULL;
    *offset = place - self->pieces[n - 1].begin;
    return &self->pieces[n - 1];
}

/* Gives back the piece that take returned at this address. Returns its object, or NULL if no piece begins there. */
static inline void *ifn_address_range_give_back(ifn_address_range *self, const void *address)
{
    size_t offset;
    const ifn_address_piece *const p = ifn_address_range_find(self, address, &offset);
    if (!p || offset != 0)
        return NULL;
    void *const object = p->object;
    const size_t i = (size_t)(p - self->pieces);
    self->n_pieces--;
    memmove(&self->pieces[i], &self->pieces[i + 1],
            (self->n_pieces - i) * sizeof(ifn_address_piece));
    return object;
}

IFN_EXTERN_C_END

#endif
