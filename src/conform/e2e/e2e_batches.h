/*
 * Draws the script of a random batch from a seed: sequences that share a context, which of them evaluate tokens in each
 * step, and which are added, dropped, copied or cut before it. Nothing is run here.
 */
#ifndef CONFORM_E2E_BATCHES_H
#define CONFORM_E2E_BATCHES_H

#include <stdbool.h>

#include <inferno/batch.h>
#include <inferno/ops.h>

enum {
    BATCH_SEQUENCES = 6,
    BATCH_STEPS = 6,
    BATCH_CHANGES = 2,   /* before a step, at most; none before the first */
    BATCH_FIRST_IDS = 8, /* of a new sequence, at most */
    BATCH_LATER_IDS = 5, /* and in each later step */
    BATCH_LATER = (BATCH_STEPS - 1) * BATCH_LATER_IDS,
    BATCH_SHORT = BATCH_FIRST_IDS + BATCH_LATER, /* what a sequence holds, at most */
    BATCH_LONG_FROM = IFN_ATTENTION_BLOCK - 10,  /* first ids of a long sequence, at least */
    BATCH_LONG_MORE = 40,                        /* at most so many ids more */
    BATCH_LONG = BATCH_LONG_FROM + BATCH_LONG_MORE + BATCH_LATER, /* what it holds, at most */
    BATCH_LIVES = BATCH_SEQUENCES + (BATCH_STEPS - 1) * BATCH_CHANGES
};

/* A sequence is cut to its first `kept` tokens, then ids[at .. at + n - 1] are evaluated at once. */
typedef struct batch_chunk {
    int64_t kept, at, n;
} batch_chunk;

/* A life of a sequence: from the step where it is added or made a copy, to the step where it is dropped or
 * overwritten by a copy. Its chunks, evaluated alone in a context, give the same tokens in the same chunks. */
typedef struct batch_life {
    int32_t sequence;
    int32_t n_chunks;
    int32_t n_copied; /* so many chunks at the start come from the life it is a copy of */
    int64_t position; /* tokens it holds */
    int64_t n_ids;
    batch_chunk chunks[BATCH_STEPS];
    ifn_token ids[BATCH_LONG];
} batch_life;

typedef enum batch_change_kind {
    BATCH_ADD,
    BATCH_DROP,
    BATCH_COPY, /* the first n tokens of `from` become `sequence` */
    BATCH_CUT   /* `sequence` is cut to its first n tokens */
} batch_change_kind;

typedef struct batch_change {
    batch_change_kind kind;
    int32_t sequence, from;
    int64_t n;
} batch_change;

typedef struct batch_part {
    int32_t life, chunk;
} batch_part;

typedef struct batch_step {
    int32_t n_changes, n_parts;
    batch_change changes[BATCH_CHANGES];
    batch_part parts[BATCH_SEQUENCES]; /* in the order of the batch; n_parts 0: none goes on */
} batch_step;

typedef struct batch_script {
    int32_t n_sequences, n_lives;
    int64_t places[BATCH_SEQUENCES]; /* each sequence's first number in the context */
    batch_step steps[BATCH_STEPS];
    batch_life lives[BATCH_LIVES];
} batch_script;

/* Draws the batch of a seed. with_long: sequences may hold BATCH_LONG tokens, else BATCH_SHORT at most. */
void e2e_batch_draw(batch_script *out, uint64_t seed, int64_t n_vocab, bool with_long);

#endif
