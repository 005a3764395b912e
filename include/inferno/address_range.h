/*
 * Addresses for buffers that have none: what a device needs whose API hands out objects (OpenCL 1.2,
 * Vulkan). A range of the process is reserved that nobody can read or write; every buffer gets a
 * piece of it, in which the arithmetic of pointers works, and an address leads back to the object
 * and an offset into it. Inline, as a plugin links nothing. POSIX.
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

/* Between two pieces, so that what runs over the end of one is in none; and what all begin at. */
#define IFN_ADDRESS_GAP ((size_t)4096)

/* `bytes` of the range from `begin` on. */
typedef struct ifn_address_piece {
    size_t begin, bytes;
    void *object;
} ifn_address_piece;

/* The caller sees to it that calls do not overlap. */
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

/* Objects are the caller's own. A closed range is fine. */
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

/* Pieces that begin at or before `at`. */
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
 * The address of a piece of `bytes` bytes that stands for `object`, aligned to IFN_ADDRESS_GAP: in
 * the first gap that has room for it. NULL: no room is left, or `bytes` is 0.
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

/* The piece that an address is in, its end included, or NULL; *offset is counted from its begin. */
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

/* Gives a piece back by the address that take gave. Returns its object, or NULL for no piece's. */
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
