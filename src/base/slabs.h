/*
 * Large blocks that are read over and over, side by side in slabs of huge pages: one by one, each
 * would leave the end that fills no huge page in small ones, a quarter of a model's bytes. Any
 * number of threads may take and give back.
 */
#ifndef IFN_SLABS_H
#define IFN_SLABS_H

#include <stddef.h>

#include <inferno/alloc.h>

typedef struct ifn_slabs ifn_slabs;

/* NULL where there is no memory. */
ifn_slabs *ifn_slabs_open(const ifn_allocator *alloc);

/* `bytes` bytes, aligned to 64, or NULL. They are the caller's until ifn_slabs_give. A slab comes from
 * `alloc`, which must be there while its blocks are. */
void *ifn_slabs_take(ifn_slabs *self, const ifn_allocator *alloc, size_t bytes);

/* A slab goes back to where it came from with the last of its blocks. */
void ifn_slabs_give(ifn_slabs *self, void *block);

/* After all blocks were given back. NULL is allowed. */
void ifn_slabs_close(ifn_slabs *self);

#endif
