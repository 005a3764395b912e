/* A priority queue, as a binary heap, of pairs of neighbouring symbols that may be merged. */
#ifndef IFN_MERGE_QUEUE_H
#define IFN_MERGE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/tokenizer.h>

typedef struct ifn_merge {
    uint32_t order;   /* smaller goes first: the rank of a BPE merge, a SentencePiece score */
    int32_t left;     /* index of the left symbol; smaller goes first among equal orders */
    ifn_token merged; /* the token that replaces both */
} ifn_merge;

typedef struct ifn_merge_queue {
    const ifn_allocator *alloc;
    ifn_merge *heap;
    size_t n, capacity;
} ifn_merge_queue;

void ifn_merge_queue_init(ifn_merge_queue *self, const ifn_allocator *alloc);
void ifn_merge_queue_fini(ifn_merge_queue *self);

ifn_status ifn_merge_queue_push(ifn_merge_queue *self, ifn_merge merge, ifn_error *err);
/* False when the queue is empty. */
bool ifn_merge_queue_pop(ifn_merge_queue *self, ifn_merge *out);

#endif
