/*
 * A block of memory that a backend asks for while it prepares weights: of the size it asked for to
 * the byte, its end flush against protected pages as far as its alignment and a declared overread
 * allow, canaries around it, and full of NaN.
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

/* `align` as in ifn_allocator, `overread` as in guard_arena_place. Returns data, or NULL without
 * memory. */
void *guard_block_take(guard_block *self, size_t bytes, size_t align, size_t overread);
/* A page begins at its byte `cut`, a multiple of align, so it ends before the protected ones; where cut is not below
 * bytes, or align is more than a page, it lies as above. */
void *guard_block_take_cut(guard_block *self, size_t bytes, size_t align, size_t overread,
                           size_t cut);
void guard_block_give_back(guard_block *self);

/* How many canaries beside it have changed; *offset of the first counts from its first byte. */
int guard_block_changed(const guard_block *self, int64_t *offset);
/* 1: a write to it is caught; 0: it may be written. Returns 0 if that cannot be had. */
int guard_block_protect(guard_block *self, bool is_read_only);

#endif
