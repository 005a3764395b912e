/*
 * Copies a part of a call into a case: its inputs as they were before the call, and its outputs.
 */
#ifndef CONFORM_CALL_SLICE_H
#define CONFORM_CALL_SLICE_H

#include "call_view.h"
#include "slot.h"

/* Copies of inputs that a call is about to overwrite. */
typedef struct call_keep {
    int n;
    struct call_kept {
        const unsigned char *begin;
        size_t bytes;
        unsigned char *copy; /* owned */
    } kept[CONFORM_MAX_TENSORS];
} call_keep;

/* Copies every input of the call that overlaps one of its outputs. IFN_ERR_NOMEM. */
IFN_NODISCARD ifn_status conform_call_keep(ifn_op op, const ifn_call *args, call_keep *out);
void conform_call_keep_close(call_keep *self);

/* A choice of n units or features: of[0 .. n - 1], or if `of` is NULL, n consecutive ones from `first` on. */
typedef struct call_choice {
    const int64_t *of;
    int64_t first, n;
} call_choice;

static inline int64_t conform_chosen(const call_choice *choice, int64_t i)
{
    return choice->of ? choice->of[i] : choice->first + i;
}

/* Maps entry k of an axis of a slice to its index on the same axis of the view. */
int64_t conform_axis_source(const call_view *view, const call_axis *axis, const call_choice *units,
                            const call_choice *features, int64_t k);

typedef struct call_slice {
    conform_slot slot;              /* case, layout, before; no truth yet */
    void *got[CONFORM_MAX_TENSORS]; /* outputs of the call; NULL for inputs */
} call_slice;

/* Gathers a slice after the call has returned. Its memory is the pool's. */
void conform_call_gather(const call_view *view, const call_keep *keep, const call_choice *units,
                         const call_choice *features, conform_pool *pool, call_slice *out);

/* Return the bytes from the first to the last byte of the engine's tensor i, and its rows. */
size_t conform_view_span(const call_view *view, int i);
int64_t conform_view_rows(const call_view *view, int i);

/* Returns 1 if the op writes the tensor. */
int conform_is_output(const conform_tensor *t);

#endif
