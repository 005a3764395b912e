#include "merge_queue.h"

#include "grow.h"
#include "message.h"

void ifn_merge_queue_init(ifn_merge_queue *self, const ifn_allocator *alloc)
{
    *self = (ifn_merge_queue){.alloc = alloc};
}

void ifn_merge_queue_fini(ifn_merge_queue *self)
{
    ifn_free_array(self->alloc, self->heap, self->capacity, sizeof *self->heap);
    ifn_merge_queue_init(self, self->alloc);
}

static bool goes_before(const ifn_merge *a, const ifn_merge *b)
{
    return a->order != b->order ? a->order < b->order : a->left < b->left;
}

ifn_status ifn_merge_queue_push(ifn_merge_queue *self, ifn_merge merge, ifn_error *err)
{
    void *heap =
        ifn_grow(self->alloc, self->heap, &self->capacity, self->n + 1, sizeof *self->heap);
    if (!heap)
        return ifn_tokenizer_nomem(err);
    self->heap = heap;
    size_t hole = self->n++;
    while (hole > 0) {
        const size_t parent = (hole - 1) / 2;
        if (!goes_before(&merge, &self->heap[parent]))
            break;
        self->heap[hole] = self->heap[parent];
        hole = parent;
    }
    self->heap[hole] = merge;
    return IFN_OK;
}

bool ifn_merge_queue_pop(ifn_merge_queue *self, ifn_merge *out)
{
    if (self->n == 0)
        return false;
    *out = self->heap[0];
    const ifn_merge last = self->heap[--self->n];
    size_t hole = 0;
    for (size_t child = 1; child < self->n; child = hole * 2 + 1) {
        if (child + 1 < self->n && goes_before(&self->heap[child + 1], &self->heap[child]))
            child++;
        if (!goes_before(&self->heap[child], &last))
            break;
        self->heap[hole] = self->heap[child];
        hole = child;
    }
    if (self->n > 0)
        self->heap[hole] = last;
    return true;
}
