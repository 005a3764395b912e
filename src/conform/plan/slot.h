/*
 * A case made ready: its inputs, what the scalar backend makes of them, and the truth. Made once
 * by the parent in shared memory; every worker judges its backend by it.
 */
#ifndef CONFORM_SLOT_H
#define CONFORM_SLOT_H

#include "declared.h"
#include "spec.h"

typedef struct conform_slot {
    conform_case c;
    const spec_op *spec;     /* may be NULL where nothing is written down */
    const spec_entry *entry; /* GOLDEN and REFUSE: what the spec says */
    ifn_status expected;     /* IFN_OK, or what a REFUSE case must return */
    conform_layout layout;
    void *before[CONFORM_MAX_TENSORS];        /* every tensor before the call; outputs are poison */
    void *reference[CONFORM_MAX_TENSORS];     /* outputs of the scalar backend; NULL for inputs,
                                               * and in a long case */
    conform_truth truth[CONFORM_MAX_TENSORS]; /* under the strict defaults */
    int32_t is_written[CONFORM_MAX_TENSORS];  /* the op may write it, and truth judges it */
    ifn_status reference_status;
    int32_t is_void;       /* there was no memory for it: nothing of it may be run */
    int32_t wants_digest;  /* of what its first run gives: verdict.h */
    int32_t n_other_sizes; /* other_sizes.h: of a run; 0: nothing but the case is judged */
} conform_slot;

/*
 * Makes a slot. `scalar` NULL: no reference. Returns IFN_OK, or IFN_ERR_SHAPE where the module has
 * no such case, or what makes a GOLDEN or REFUSE entry impossible. IFN_ERR_NOMEM: the slot is void.
 */
IFN_NODISCARD ifn_status conform_slot_build(conform_slot *out, conform_pool *pool,
                                            const conform_case *c, const spec_op *spec,
                                            ifn_backend *scalar, ifn_error *err);

/* A slot for who needs no truth: a case of the same op, dtypes and tensors as that of `like`, with inputs and reference.
 * IFN_ERR_SHAPE where there is no such case. */
IFN_NODISCARD ifn_status conform_slot_beside(conform_slot *out, conform_pool *pool,
                                             const conform_case *c, const conform_slot *like,
                                             ifn_backend *scalar, ifn_error *err);

/* The part of it that runs the scalar backend, once case, layout, `before` and is_written are
 * there: fills in `reference` and its status. */
IFN_NODISCARD ifn_status conform_slot_reference(conform_slot *s, ifn_backend *scalar,
                                                conform_pool *pool, ifn_error *err);

/* Fills in the arguments for buffers at data[]; a REFUSE entry makes its change. */
IFN_NODISCARD ifn_status conform_slot_bind(const conform_slot *s, void *const *data,
                                           conform_call *call, ifn_error *err);

/* Quiet garbage: a signalling NaN in every 32 bits. `which` 0 or 1 gives two different ones. */
void conform_poison(void *out, size_t bytes, int which);
/* The same 32 bits over and over. */
void conform_fill_words(void *out, size_t bytes, uint32_t word);

/* Fills `data` of outputs for one run: INOUT tensors as they were before, others with poison. */
void conform_prefill(const conform_slot *s, int i, void *out, int which);

#endif
