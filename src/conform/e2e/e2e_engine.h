/* A model opened on a backend in one way of computing it: evaluates ids in given chunks, or generates greedily. */
#ifndef CONFORM_E2E_ENGINE_H
#define CONFORM_E2E_ENGINE_H

#include <stdbool.h>

#include <inferno/context.h>

#include "e2e_codes.h"

typedef struct e2e_way {
    ifn_graph graph;
    ifn_activations activations; /* F32 or Q8 */
    ifn_kv kv;
    bool is_forced;  /* the truth's codes replace the engine's own */
    bool is_long;    /* a long prompt: f32 rows of the cache are forced as well */
    bool is_company; /* sequences in random batches: e2e_company.h */
    bool is_replay;  /* judges ops, not logits: e2e_replay.h */
} e2e_way;

/* Returns the name of the command line: "f16", ... */
const char *e2e_kv_name(ifn_kv kv);
/* Returns the kind of cache that holds this dtype, the inverse of ifn_kv_dtype; IFN_KV_F32 ("basic") for F32. */
ifn_kv e2e_kv_of(ifn_dtype cache);

typedef struct e2e_engine {
    const ifn_model *model;
    e2e_way way;
    e2e_forced forced;
    ifn_backend *poison; /* wrapper around the backend: memory starts as NaN (poisoned.h) */
    ifn_backend *tap;    /* wrapper around `poison` that forces codes; NULL: none are forced */
    ifn_weights *weights;
} e2e_engine;

/* codes: the truth's, borrowed; needed if the way is forced. The engine may be closed after a failure, too. */
IFN_NODISCARD ifn_status e2e_engine_open(e2e_engine *self, const ifn_model *model,
                                         ifn_backend *backend, const e2e_way *way,
                                         const e2e_codes *codes, ifn_error *err);
void e2e_engine_close(e2e_engine *self);

/* Sizes of the chunks in which ids are evaluated: chunk i has sizes[i] ids; after the list its last size repeats. A
 * size of 0 means all ids that are left; an empty list means one chunk. */
typedef struct e2e_chunks {
    const int64_t *sizes;
    int64_t n;
} e2e_chunks;

/* Returns the size of chunk i when `left` ids are left. */
int64_t e2e_chunk_size(const e2e_chunks *chunks, int64_t i, int64_t left);

/* Evaluates all n ids in a context of its own. logits [n, n_vocab]. */
IFN_NODISCARD ifn_status e2e_engine_run(e2e_engine *self, const ifn_token *ids, int64_t n,
                                        const e2e_chunks *chunks, float *logits, ifn_error *err);

/* Evaluates n ids and calls `hear` with the logits [n_vocab] of the last position of each chunk. In a forced way chunks
 * share nothing but the cache. */
IFN_NODISCARD ifn_status e2e_engine_hear(e2e_engine *self, const ifn_token *ids, int64_t n,
                                         const e2e_chunks *chunks,
                                         void (*hear)(void *cookie, int64_t position,
                                                      const float *logits),
                                         void *cookie, ifn_error *err);

/* Computes logits [n_steps, n_vocab] at the positions `steps`, in ascending order, for a forced way. Each position is
 * evaluated alone; the cache before it is filled with the truth's codes without computing anything. */
IFN_NODISCARD ifn_status e2e_engine_pick(e2e_engine *self, const ifn_token *ids, int64_t n,
                                         const int64_t *steps, int64_t n_steps, float *logits,
                                         ifn_error *err);

/*
 * Continues ids [0, n_prompt) greedily by up to n_new ids. chosen [n_new]; logits [n_new, n_vocab] of each choice. With
 * `follow` [n_prompt + n_new] it stops after the first choice that differs from it. *n_done: how many ids were chosen.
 */
IFN_NODISCARD ifn_status e2e_engine_generate(e2e_engine *self, const ifn_token *ids,
                                             int64_t n_prompt, int64_t n_new,
                                             const ifn_token *follow, ifn_token *chosen,
                                             float *logits, int64_t *n_done, ifn_error *err);

#endif
