/*
 * A part of a call gathered into a case: what the inputs were before it, and what it made of them.
 */
#ifndef CONFORM_CALL_SLICE_H
#define CONFORM_CALL_SLICE_H

#include "call_view.h"
#include "slot.h"

/* What a call will write over, kept before it does. */
typedef struct call_keep {
    int n;
    struct call_kept {
        const unsigned char *begin;
        size_t bytes;
        unsigned char *copy; /* owned */
    } kept[CONFORM_MAX_TENSORS];
} call_keep;

/* Keeps every input of the call that one of its outputs overlaps. IFN_ERR_NOMEM. */
IFN_NODISCARD ifn_status conform_call_keep(ifn_op op, const ifn_call *args, call_keep *out);
void conform_call_keep_close(call_keep *self);

/* Entries of one axis; `of` NULL: all, from `first` on. */
typedef struct call_choice {
    const int64_t *of;
    int64_t first, n;
} call_choice;

static inline int64_t conform_chosen(const call_choice *choice, int64_t i)
{
    return choice->of ? choice->of[i] : choice->first + i;
}

/* Where entry k of an axis of a slice lies on the same axis of the view. */
int64_t conform_axis_source(const call_view *view, const call_axis *axis, const call_choice *units,
                            const call_choice *features, int64_t k);

typedef struct call_slice {
    conform_slot slot;              /* case, layout, before; no truth yet */
    void *got[CONFORM_MAX_TENSORS]; /* of what the op writes; NULL for inputs */
} call_slice;

/* After the call. Memory is the pool's. */
void conform_call_gather(const call_view *view, const call_keep *keep, const call_choice *units,
                         const call_choice *features, conform_pool *pool, call_slice *out);

/* Bytes of tensor i where the engine has it, from the first to the last, and its rows there. */
size_t conform_view_span(const call_view *view, int i);
int64_t conform_view_rows(const call_view *view, int i);

/* 1 if the op writes tensor i. */
int conform_is_output(const conform_tensor *t);

#endif
