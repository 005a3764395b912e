/* A model on a backend, one way of computing it: runs ids in any chunks, or goes on by itself. */
#ifndef CONFORM_E2E_ENGINE_H
#define CONFORM_E2E_ENGINE_H

#include <stdbool.h>

#include <inferno/context.h>

#include "e2e_codes.h"

typedef struct e2e_way {
    ifn_graph graph;
    ifn_activations activations; /* F32 or Q8 */
    ifn_kv kv;
    bool is_forced;  /* the truth's codes take the place of the engine's own */
    bool is_long;    /* of a long prompt: f32 rows of the cache are forced as well */
    bool is_company; /* of sequences in random batches: e2e_company.h */
    bool is_replay;  /* ops are judged, not logits: e2e_replay.h */
} e2e_way;

/* "f16", ... as on the command line. */
const char *e2e_kv_name(ifn_kv kv);
/* The kind of cache that holds this dtype, ifn_kv_dtype backwards: basic for F32. */
ifn_kv e2e_kv_of(ifn_dtype cache);

typedef struct e2e_engine {
    const ifn_model *model;
    e2e_way way;
    e2e_forced forced;
    ifn_backend *poison; /* around the backend, and the tap, where codes are forced, around that */
    ifn_backend *tap;
    ifn_weights *weights;
} e2e_engine;

/* codes: of the truth, borrowed; needed if the way is forced. Fine to close after a failure. */
IFN_NODISCARD ifn_status e2e_engine_open(e2e_engine *self, const ifn_model *model,
                                         ifn_backend *backend, const e2e_way *way,
                                         const e2e_codes *codes, ifn_error *err);
void e2e_engine_close(e2e_engine *self);

/* Chunks that ids are fed in, in a context of its own: each as long as says the next of `sizes`,
 * the last one again where they end; 0: all that is left. */
typedef struct e2e_chunks {
    const int64_t *sizes;
    int64_t n;
} e2e_chunks;

/* Of chunk i, where `left` ids are left. */
int64_t e2e_chunk_size(const e2e_chunks *chunks, int64_t i, int64_t left);

/* logits [n, n_vocab] of all n ids. */
IFN_NODISCARD ifn_status e2e_engine_run(e2e_engine *self, const ifn_token *ids, int64_t n,
                                        const e2e_chunks *chunks, float *logits, ifn_error *err);

/* Hears the logits [n_vocab] of the last position of each chunk. Between chunks of an is_forced
 * way nothing is shared but the cache. */
IFN_NODISCARD ifn_status e2e_engine_hear(e2e_engine *self, const ifn_token *ids, int64_t n,
                                         const e2e_chunks *chunks,
                                         void (*hear)(void *cookie, int64_t position,
                                                      const float *logits),
                                         void *cookie, ifn_error *err);

/* logits [n_steps, n_vocab] of these positions, rising, of a forced way: each alone, the cache
 * before it filled with the truth's codes and nothing computed for them. */
IFN_NODISCARD ifn_status e2e_engine_pick(e2e_engine *self, const ifn_token *ids, int64_t n,
                                         const int64_t *steps, int64_t n_steps, float *logits,
                                         ifn_error *err);

/*
 * Goes on greedily after ids [0, n_prompt), up to n_new ids: chosen [n_new], and the logits of
 * each choice [n_new, n_vocab]. With `follow` [n_prompt + n_new] it stops after the first choice
 * that differs. *n_done: how many were chosen.
 */
IFN_NODISCARD ifn_status e2e_engine_generate(e2e_engine *self, const ifn_token *ids,
                                             int64_t n_prompt, int64_t n_new,
                                             const ifn_token *follow, ifn_token *chosen,
                                             float *logits, int64_t *n_done, ifn_error *err);

#endif
