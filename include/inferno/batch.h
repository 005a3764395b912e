/*
 * Batches: several sequences in one context, evaluated together. One matrix product serves the rows
 * of all of them, so that 16 sequences take little longer than one.
 *
 * A context opened with n_sequences holds that many sequences of max_pos tokens each, numbered from
 * 0. Sequence 0 is in use from the start: it is the one that functions without a sequence are about
 * (ifn_context_eval, ifn_context_logits, ...). What a sequence gets has the same bits alone and in
 * any company, where the backend holds R10 (spec/numerics.md 12).
 *
 * With page_rows a sequence has pages of the cache as it grows, instead of a place of max_pos rows,
 * and gives them back when it is cut or dropped. A copy has the pages of its source, and who goes on
 * in one that another has, too, gets a copy of that page first: a prompt that many continue lies in
 * memory once. A backend without pages has such calls run on its base (backend.h). The bits are
 * those without pages, where the backend holds R5.
 *
 * Stability: experimental.
 */
#ifndef INFERNO_BATCH_H
#define INFERNO_BATCH_H

#include <inferno/context.h>

IFN_EXTERN_C_BEGIN

/* What one sequence goes on with, and the logits that are wanted of it. */
typedef struct ifn_batch_part {
    int32_t sequence;     /* in use; once in a batch */
    size_t n;             /* ids, 1 at least */
    const ifn_token *ids; /* [n], borrowed for the call */
    /* How many of the last positions want logits, n at most; more than one only where the context
     * has all_logits. Those of one position stay in the context until its next evaluation, for
     * ifn_context_sequence_sample and _logits. */
    size_t n_logits;
    float *logits; /* host [n_logits, n_vocab], the caller's; NULL: with n_logits 1, not wanted */
} ifn_batch_part;

typedef struct ifn_batch {
    size_t n;
    const ifn_batch_part *parts; /* [n], borrowed for the call */
} ifn_batch;

/**
 * Appends to every sequence its ids, in passes of max_rows rows. Allocates nothing. On an error all
 * sequences are what they were, but for their logits, which are gone.
 * Errors  IFN_ERR_ARGUMENT: a sequence that is not in use or comes twice, an id outside the
 *         vocabulary, more tokens than a sequence holds, other n or n_logits than above says
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
 * Makes `to`, whatever it was, the first `n` tokens of `from`, by copying keys and values, or in
 * pages by sharing them: a prompt that many continue is evaluated once. With all tokens of `from` come its logits.
 * Errors  IFN_ERR_ARGUMENT: a sequence not in use, both the same, n beyond the tokens of `from`
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_copy(ifn_context *self,
                                                                            int32_t from,
                                                                            int32_t to, int64_t n,
                                                                            ifn_error *err);

/* Forgets everything of a sequence from `position` on, as ifn_context_rewind. */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_cut(ifn_context *self,
                                                                           int32_t sequence,
                                                                           int64_t position,
                                                                           ifn_error *err);

/* Tokens in a sequence; 0 for one that is not in use. */
IFN_EXPERIMENTAL IFN_API int64_t ifn_context_sequence_position(const ifn_context *self,
                                                               int32_t sequence);

/* How many pages the cache has, and how many of them sequences have; 0 without pages. */
IFN_EXPERIMENTAL IFN_API int64_t ifn_context_pages(const ifn_context *self, int64_t *in_use);

/* As ifn_context_logits and ifn_context_sample, of any sequence. */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_context_sequence_logits(ifn_context *self,
                                                                              int32_t sequence,
                                                                              float *out,
                                                                              ifn_error *err);
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status
ifn_context_sequence_sample(ifn_context *self, int32_t sequence, ifn_sampler *sampler,
                            ifn_token *id, float *prob, ifn_error *err);

IFN_EXTERN_C_END

#endif
