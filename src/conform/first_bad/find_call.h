/* Hooks of a tap that judge the calls of a model's run one by one. */
#ifndef CONFORM_FIND_CALL_H
#define CONFORM_FIND_CALL_H

#include <stdbool.h>

#include "call_judge.h"
#include "first_bad_finding.h"
#include "memory_watch.h"
#include "tap.h"

typedef struct first_bad_search {
    const ifn_model *model;
    ifn_backend *backend; /* without the tap */
    const char *yaml;     /* path of the file of cases; NULL: none is written */
    call_judge judge;
    call_keep keep;
    memory_watch watch;
    first_bad_finding *finding;
    ifn_status status; /* an error of the search itself, not of the backend */
    ifn_error *err;
    bool is_found;
} first_bad_search;

/* Returns the hooks. They end the run with IFN_ERR_NUMERIC at the first bad op. */
tap_hooks conform_search_hooks(first_bad_search *self);

#endif
