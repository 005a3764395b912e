/*
 * Batches: several sequences in one context, evaluated together. One matrix product serves the rows
 * of all of them, so that 16 sequences take little longer than one.
 *
 * A context opened with n_sequences holds that many sequences of max_pos tokens each, numbered from
 * 0. Sequence 0 is in use from the start: functions without a sequence argument work on it
 * (ifn_context_eval, ifn_context_logits, ...). If the backend declares R10 (spec/numerics.md 12), the
 * results of a sequence have the same bits alone and with any others in the batch.
 *
 * With page_rows a sequence takes pages of the cache as it grows, instead of a fixed region of max_pos
 * rows, and gives them back when it is cut or dropped. A copy shares the pages of its source; a sequence
 * that appends to a shared page first gets a copy of that page (copy on write): a prompt that many continue
 * lies in memory once. The base runs such calls for a backend without pages (backend.h). If the backend
 * declares R5, the bits are those without pages.
 *
 * Stability: experimental.
 */
#ifndef INFERNO_BATCH_H
#define INFERNO_BATCH_H

#include <inferno/context.h>

IFN_EXTERN_C_BEGIN

/* The ids to append to one sequence, and the logits that are wanted of it. */
typedef struct ifn_batch_part {
    int32_t sequence;     /* must be in use; at most once in a batch */
    size_t n;             /* ids, 1 at least */
    const ifn_token *ids; /* [n], borrowed for the call */
    /* How many of the last positions want logits, n at most; more than one only if the context
     * has all_logits. The logits of one position stay in the context until its next evaluation, for
     * ifn_context_sequence_sample and _logits. */
    size_t n_logits;
    float *logits; /* host [n_logits, n_vocab], the caller's; NULL, with n_logits 0 or 1: no copy */
} ifn_batch_part;

typedef struct ifn_batch {
    size_t n;
    const ifn_batch_part *parts; /* [n], borrowed for the call */
} ifn_batch;

/**
 * Appends its ids to every sequence, in passes of max_rows rows. Allocates nothing. On an error all
 * sequences stay as they were, except that their logits are gone.
 * Errors  IFN_ERR_ARGUMENT: a sequence that is not in use or occurs twice, an id outside the
 *         vocabulary, more tokens than a sequence holds, n or n_logits outside the limits above
 *         IFN_ERR_NOMEM: all pages of the cache are in use
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_eval_batch(ifn_context *self,
                                                                         const ifn_batch *batch,
                                                                         ifn_error *err);

/* Takes the first sequence that is not in use; it is empty.
 * Errors  IFN_ERR_ARGUMENT: all are in use */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_add(ifn_context *self,
                                                                           int32_t *sequence,
                                                                           ifn_error *err);

/* Forgets a sequence and gives its place back. */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_drop(ifn_context *self,
                                                                            int32_t sequence,
                                                                            ifn_error *err);

/**
 * Replaces `to`, whatever it was, by the first `n` tokens of `from`: copies keys and values, or shares their
 * pages, so that a prompt that many continue is evaluated once. If n is all tokens of `from`, `to` gets its logits too.
 * Errors  IFN_ERR_ARGUMENT: a sequence not in use, both the same, n beyond the tokens of `from`
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_copy(ifn_context *self,
                                                                            int32_t from,
                                                                            int32_t to, int64_t n,
                                                                            ifn_error *err);

/* Forgets everything of a sequence from `position` on, like ifn_context_rewind. */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_cut(ifn_context *self,
                                                                           int32_t sequence,
                                                                           int64_t position,
                                                                           ifn_error *err);

/* Tokens in a sequence; 0 for one that is not in use. */
IFN_EXPERIMENTAL IFN_API int64_t ifn_context_sequence_position(const ifn_context *self,
                                                               int32_t sequence);

/* How many pages the cache has, and in *in_use how many of them sequences hold; 0 without pages. */
IFN_EXPERIMENTAL IFN_API int64_t ifn_context_pages(const ifn_context *self, int64_t *in_use);

/* Like ifn_context_logits and ifn_context_sample, for any sequence. */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_logits(ifn_context *self,
                                                                              int32_t sequence,
                                                                              float *out,
                                                                              ifn_error *err);
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status
ifn_context_sequence_sample(ifn_context *self, int32_t sequence, ifn_sampler *sampler,
                            ifn_token *id, float *prob, ifn_error *err);

IFN_EXTERN_C_END

#endif
