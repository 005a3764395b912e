/* A run of the model whose calls are judged one by one. */
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
    const char *yaml;     /* or NULL */
    call_judge judge;
    call_keep keep;
    memory_watch watch;
    first_bad_finding *finding;
    ifn_status status; /* of the machinery */
    ifn_error *err;
    bool is_found;
} first_bad_search;

/* The hooks of the search; the run ends with IFN_ERR_NUMERIC at the first bad op. */
tap_hooks conform_search_hooks(first_bad_search *self);

#endif
