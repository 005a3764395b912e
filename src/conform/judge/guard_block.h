/*
 * A guarded block of memory for a backend's allocator while it prepares weights. It has exactly the requested size,
 * ends at protected pages as closely as its alignment and a declared overread allow, has canaries around it, and is
 * filled with NaN.
 */
#ifndef CONFORM_GUARD_BLOCK_H
#define CONFORM_GUARD_BLOCK_H

#include <stdbool.h>

#include "guard_arena.h"

typedef struct guard_block {
    guard_region region;
    unsigned char *data; /* NULL: there is none */
    size_t bytes, overread;
} guard_block;

/* `align` as in ifn_allocator, `overread` as in guard_arena_place. Returns data, or NULL without memory. */
void *guard_block_take(guard_block *self, size_t bytes, size_t align, size_t overread);
/* The same, shifted so that a page begins at the block's byte `cut`, a multiple of `align`; the block then ends earlier
 * than the protected pages begin. No shift if cut >= bytes or align is more than a page. */
void *guard_block_take_cut(guard_block *self, size_t bytes, size_t align, size_t overread,
                           size_t cut);
void guard_block_give_back(guard_block *self);

/* Returns how many canaries around the block have changed; *offset is that of the first, counted from the block's first
 * byte. */
int guard_block_changed(const guard_block *self, int64_t *offset);
/* Makes the block read-only, so that a write raises a signal, or writable again. Returns 0 if mprotect fails. */
int guard_block_protect(guard_block *self, bool is_read_only);

#endif
