/* A search for a smaller case: what shrink.c, shrink_values.c and shrink_setting.c share. */
#ifndef CONFORM_SHRINK_RUN_H
#define CONFORM_SHRINK_RUN_H

#include "run_report.h"
#include "runner.h"

typedef struct shrinker {
    conform_runner *runner;
    int subject;
    conform_fault fault; /* smaller cases must fail in the same way */
    conform_case best;
    spec_entry *values; /* of `best`, where these are not made from its seed; may be NULL */
    uint64_t deadline;
    ifn_status status; /* of the machinery, not of the case */
    ifn_error *err;
} shrinker;

/* Runs a case, with the shrinker's values if it has some; keeps it if it fails in the same way. */
int shrink_try(shrinker *s, const conform_case *c);

/* Writes the inputs of the best case down and brings them toward 0, 1 and powers of two. Leaves
 * `values` NULL where they are too many, or where as written values they do not fail. */
void shrink_values(shrinker *s);

/* Addresses, then the cuts into parts: from none to one, as small as they come. */
void shrink_setting(shrinker *s);

#endif
