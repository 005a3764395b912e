/* Runs a model once in a given mode. */
#ifndef CONFORM_RUN_MODE_H
#define CONFORM_RUN_MODE_H

#include <stdbool.h>

#include <inferno/context.h>

/* How the model is run. All zero: fused graph, activations as in a context, no cache, one pass. */
typedef struct first_bad_mode {
    ifn_graph graph;
    ifn_activations activations;
    ifn_kv kv;
    bool last_logits; /* logits of the last position of each eval only, as in generation */
    int64_t max_rows; /* tokens per pass; 0: at most 64, with last_logits the context's default */
    const int64_t *chunks; /* [n_chunks] tokens of each eval, n in all; NULL: one eval */
    int64_t n_chunks;
} first_bad_mode;

/* Opens weights and a context in memory full of NaN, evaluates all ids as the mode says, and closes them. `backend`
 * is a tap. `opened` (may be NULL) is called once the context is open. */
IFN_NODISCARD ifn_status conform_run_mode(const ifn_model *model, ifn_backend *backend,
                                          const first_bad_mode *mode, const ifn_token *ids,
                                          int64_t n, void (*opened)(void *cookie), void *cookie,
                                          ifn_error *err);

#endif
