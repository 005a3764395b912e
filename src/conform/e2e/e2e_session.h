/* What `conform e2e` tries on one model after the other, and what it counts meanwhile. */
#ifndef CONFORM_E2E_SESSION_H
#define CONFORM_E2E_SESSION_H

#include <stdbool.h>

#include "e2e_prompts.h"
#include "e2e_results.h"
#include "options.h"
#include "progress.h"
#include "run_report.h"
#include "spec_dir.h"

typedef struct e2e_session {
    conform_options options;
    char spec_dir[SPEC_DIR_BYTES];
    char best[REPORT_LABEL_BYTES];
    conform_report report;
    /* the model at hand */
    ifn_gguf *gguf;
    ifn_model *model;
    e2e_effort effort;
    e2e_results *results[CONFORM_MAX_TESTED];
    conform_arithmetics declared[CONFORM_MAX_TESTED]; /* by each backend, */
    int group[CONFORM_MAX_TESTED];                    /* and the first that declares the same */
    bool is_explained[CONFORM_MAX_TESTED];            /* this model has been, on this backend */
    int n_files;                                      /* of bad calls, so far */
    progress progress;
    bool is_writing;
} e2e_session;

/* Opens an expression that is `backend`: for those who open in processes of their own. */
ifn_status e2e_session_backend(const void *backend, int32_t n_threads, ifn_backend **out,
                               ifn_error *err);

/* All runs of a model, which is a path or "shipped", on every backend: rows of the report. */
IFN_NODISCARD ifn_status e2e_session_try(e2e_session *self, const char *path, ifn_error *err);

/* Of --patience, for all runs after one truth. */
unsigned e2e_session_seconds(const conform_options *o);

#endif
