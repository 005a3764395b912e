/* The session of `conform e2e`: runs all tests on one model after the other and collects the report. */
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
    /* the current model */
    ifn_gguf *gguf;
    ifn_model *model;
    e2e_effort effort;
    e2e_results *results[CONFORM_MAX_TESTED];
    conform_arithmetics declared[CONFORM_MAX_TESTED]; /* the declaration of each backend */
    int group[CONFORM_MAX_TESTED];                    /* first backend with the same declaration */
    bool is_explained[CONFORM_MAX_TESTED];            /* the search on this backend was made */
    int n_files;                                      /* files of bad calls written so far */
    progress progress;
    bool is_writing;
} e2e_session;

/* Opens the backend expression `backend` (NULL: the best one). Has the type of e2e_open. */
ifn_status e2e_session_backend(const void *backend, int32_t n_threads, ifn_backend **out,
                               ifn_error *err);

/* Makes all runs of a model, a path or "shipped", on every backend, and adds their rows to the report. */
IFN_NODISCARD ifn_status e2e_session_try(e2e_session *self, const char *path, ifn_error *err);

/* Returns the time limit for all runs of one truth on one backend, from --patience. */
unsigned e2e_session_seconds(const conform_options *o);

#endif
