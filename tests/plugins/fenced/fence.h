/*
 * Device memory with two addresses for each byte: outside, which the allocator hands out and nobody
 * can access, and inside, where the ops of the backend read and write it.
 */
#ifndef FENCE_H
#define FENCE_H

#include <inferno/backend.h>

typedef struct fence fence;

/* NULL: out of memory. */
fence *fence_open(void);
void fence_close(fence *self); /* NULL is fine */

const ifn_allocator *fence_buffers(fence *self);

/* The inside address of a pointer of the fence; returns other pointers unchanged. */
void *fence_inside(const fence *self, const void *p);

/* Writes the offset of a pointer in the fence, and that of its buffer. Returns 0 if it is in no buffer. */
int fence_find(fence *self, const void *p, size_t *offset, size_t *begin);
/* The inside address of an offset in the fence. */
void *fence_inside_at(const fence *self, size_t offset);

#endif
