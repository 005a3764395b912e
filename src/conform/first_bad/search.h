/* A run of the model whose calls are judged one by one: first_bad.c and find_call.c share it. */
#ifndef CONFORM_FIRST_BAD_SEARCH_H
#define CONFORM_FIRST_BAD_SEARCH_H

#include "call_judge.h"
#include "first_bad.h"
#include "memory_watch.h"
#include "tap.h"

typedef struct first_bad_search {
    const ifn_model *model;
    ifn_backend *backend; /* without the tap */
    const char *yaml;     /* or NULL */
    call_judge judge;
    call_keep keep;
    memory_watch watch;
    first_bad_report *report;
    ifn_status status; /* of the machinery */
    ifn_error *err;
    int is_found;
} first_bad_search;

/* The hooks of the search; the run ends with IFN_ERR_NUMERIC at the first bad op. */
tap_hooks conform_search_hooks(first_bad_search *self);

/* The model on a backend, in memory full of NaN: weights and context opened, all ids evaluated as
 * the mode says, and all closed again. `opened` (may be NULL) is called once the context is open.
 */
IFN_NODISCARD ifn_status conform_run_mode(const ifn_model *model, ifn_backend *backend,
                                          const first_bad_mode *mode, const ifn_token *ids,
                                          int64_t n, void (*opened)(void *cookie), void *cookie,
                                          ifn_error *err);

/* The first point of the graph that is far from truth, where no op is to blame: fills in a report
 * of kind GRAPH, or leaves it NONE. */
IFN_NODISCARD ifn_status conform_find_drift(const ifn_model *model, ifn_backend *backend,
                                            const first_bad_mode *mode, const ifn_token *ids,
                                            int64_t n, first_bad_report *out, ifn_error *err);

#endif
