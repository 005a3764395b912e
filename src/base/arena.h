/*
 * A bump allocator over one block. The same layout code runs twice: first on an arena without a
 * block, which only measures, then on the block of the measured size.
 */
#ifndef IFN_ARENA_H
#define IFN_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ifn_arena {
    unsigned char *base; /* borrowed, aligned to 64; NULL: measure only */
    size_t bytes;        /* of the block; 0 when measuring */
    size_t used;
    bool failed; /* a size overflowed, or the block was too small */
} ifn_arena;

/* base NULL starts a measuring run. Under AddressSanitizer the whole block becomes poisoned. */
void ifn_arena_init(ifn_arena *self, void *base, size_t bytes);

/*
 * The next count * size bytes, aligned to 64, followed by a gap that AddressSanitizer watches.
 * NULL when measuring, when count is 0, and when `failed` was or is now set.
 */
void *ifn_arena_take(ifn_arena *self, size_t count, size_t size);

/* Makes the block ordinary memory again, before it is released. */
void ifn_arena_fini(ifn_arena *self);

#endif
