/*
 * A slot: one case made ready to run, with its inputs, the results of the scalar backend and the truth. The parent
 * makes it once in shared memory; every worker judges its backend against it.
 */
#ifndef CONFORM_SLOT_H
#define CONFORM_SLOT_H

#include "declared.h"
#include "spec.h"

typedef struct conform_slot {
    conform_case c;
    const spec_op *spec;     /* may be NULL unless the case is GOLDEN or REFUSE */
    const spec_entry *entry; /* GOLDEN and REFUSE: what the spec says */
    ifn_status expected;     /* IFN_OK, or what a REFUSE case must return */
    conform_layout layout;
    void *before[CONFORM_MAX_TENSORS];        /* every tensor before the call; outputs are poison */
    void *reference[CONFORM_MAX_TENSORS];     /* outputs of the scalar backend; NULL for inputs,
                                               * and in a long case */
    conform_truth truth[CONFORM_MAX_TENSORS]; /* under the strict defaults */
    int32_t is_written[CONFORM_MAX_TENSORS];  /* the op may write it, and truth judges it */
    ifn_status reference_status;
    int32_t is_void;       /* there was no memory for the case: it must not be run */
    int32_t wants_digest;  /* 1: the verdict needs the digest of the first run's results */
    int32_t n_other_sizes; /* conform_other_sizes() of the run; 0: only the case itself is judged */
} conform_slot;

/*
 * Makes a slot. `scalar` NULL: no reference. IFN_ERR_SHAPE: the module has no such case. IFN_ERR_NOMEM: there is no
 * memory, and the slot is void. A GOLDEN or REFUSE entry that is impossible returns its own error.
 */
IFN_NODISCARD ifn_status conform_slot_build(conform_slot *out, conform_pool *pool,
                                            const conform_case *c, const spec_op *spec,
                                            ifn_backend *scalar, ifn_error *err);

/* Makes a slot without a truth: a case of the same op, dtypes and tensors as that of `like`, with inputs and reference.
 * IFN_ERR_SHAPE: there is no such case. */
IFN_NODISCARD ifn_status conform_slot_beside(conform_slot *out, conform_pool *pool,
                                             const conform_case *c, const conform_slot *like,
                                             ifn_backend *scalar, ifn_error *err);

/* Runs the scalar backend on the slot and fills in `reference` and its status. The slot must have its case, layout,
 * `before` and is_written. */
IFN_NODISCARD ifn_status conform_slot_reference(conform_slot *s, ifn_backend *scalar,
                                                conform_pool *pool, ifn_error *err);

/* Fills in the arguments for buffers at data[]; in a REFUSE case it applies the change of the entry. */
IFN_NODISCARD ifn_status conform_slot_bind(const conform_slot *s, void *const *data,
                                           conform_call *call, ifn_error *err);

/* Fills a buffer with poison: a signalling NaN in every 32 bits. `which`, 0 or 1, chooses one of two patterns. */
void conform_poison(void *out, size_t bytes, int which);
/* Fills a buffer with the same 32 bits over and over. */
void conform_fill_words(void *out, size_t bytes, uint32_t word);

/* Fills the buffer `out` of tensor i before a run: an INOUT tensor with its values before the call, others by
 * poison. */
void conform_prefill(const conform_slot *s, int i, void *out, int which);

#endif
