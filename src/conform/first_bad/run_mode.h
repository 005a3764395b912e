/* One run of a model, as a mode says. */
#ifndef CONFORM_RUN_MODE_H
#define CONFORM_RUN_MODE_H

#include <stdbool.h>

#include <inferno/context.h>

/* How the model is run. All zero: fused graph, activations as in a context, no cache, one pass. */
typedef struct first_bad_mode {
    ifn_graph graph;
    ifn_activations activations;
    ifn_kv kv;
    bool last_logits; /* of the last position of each eval alone, as in a generation */
    int64_t max_rows; /* tokens in one pass; 0: 64 at most, with last_logits as a context does */
    const int64_t *chunks; /* [n_chunks] tokens of each eval, all ids together; NULL: one eval */
    int64_t n_chunks;
} first_bad_mode;

/* The model on a backend, in memory full of NaN: weights and context opened, all ids evaluated as
 * the mode says, and all closed again. `opened` (may be NULL) is called once the context is open.
 */
IFN_NODISCARD ifn_status conform_run_mode(const ifn_model *model, ifn_backend *backend,
                                          const first_bad_mode *mode, const ifn_token *ids,
                                          int64_t n, void (*opened)(void *cookie), void *cookie,
                                          ifn_error *err);

#endif
