/*
 * Allocates large, often read blocks side by side in slabs of huge pages. Allocated one by one, the end
 * of each block, which fills no whole huge page, would lie in small pages: a quarter of a model's bytes.
 * Any number of threads may take and give back.
 */
#ifndef IFN_SLABS_H
#define IFN_SLABS_H

#include <stddef.h>

#include <inferno/alloc.h>

typedef struct ifn_slabs ifn_slabs;

/* NULL if there is no memory. */
ifn_slabs *ifn_slabs_open(const ifn_allocator *alloc);

/* `bytes` bytes, aligned to 64, or NULL. The caller owns them until ifn_slabs_give. New slabs come from
 * `alloc`, which must outlive their blocks. */
void *ifn_slabs_take(ifn_slabs *self, const ifn_allocator *alloc, size_t bytes);

/* Gives a block back. A slab whose last block is given back is freed with the allocator it came from. */
void ifn_slabs_give(ifn_slabs *self, void *block);

/* All blocks must have been given back. NULL is allowed. */
void ifn_slabs_close(ifn_slabs *self);

#endif
