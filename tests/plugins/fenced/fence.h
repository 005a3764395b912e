/*
 * Memory that is mapped twice: where nobody may touch it, which are the addresses that are handed
 * out, and where the ops of the backend work.
 */
#ifndef FENCE_H
#define FENCE_H

#include <inferno/backend.h>

typedef struct fence fence;

/* NULL: no memory. */
fence *fence_open(void);
void fence_close(fence *self); /* NULL is fine */

const ifn_allocator *fence_buffers(fence *self);

/* Where ops find what a pointer of the fence stands for; other pointers are as they are. */
void *fence_inside(const fence *self, const void *p);

/* Where in the fence a pointer is, and where its buffer begins. Returns 0 if it is in none. */
int fence_find(fence *self, const void *p, size_t *offset, size_t *begin);
void *fence_inside_at(const fence *self, size_t offset);

#endif
