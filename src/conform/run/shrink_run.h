/* A search for a smaller case: what shrink.c, shrink_values.c and shrink_setting.c share. */
#ifndef CONFORM_SHRINK_RUN_H
#define CONFORM_SHRINK_RUN_H

#include "run_report.h"
#include "runner.h"

typedef struct shrinker {
    conform_runner *runner;
    int tested;
    conform_check check; /* smaller cases must fail in the same way */
    int n_tries;         /* the most seeds a case is tried with until it fails */
    conform_case best;
    spec_entry *values; /* written values of `best`; NULL: they follow from its seed */
    double seconds;     /* the most that a search may take */
    uint64_t deadline;
    ifn_status status; /* of the runner, not of the case */
    ifn_error *err;
} shrinker;

/* 1 if a case fails in the same way; sets its seed to the one that fails. */
int shrink_fails(shrinker *s, conform_case *c);

/* Runs a case, with the shrinker's values if it has some; keeps it if it fails in the same way. */
int shrink_try(shrinker *s, const conform_case *c);

enum { SHRINK_SIZES = 160 };

typedef struct shrink_sizes {
    int n;
    int64_t at[SHRINK_SIZES];
} shrink_sizes;

/* Lists sizes below `top`, ascending: small ones, those around powers of two, and those with the same remainder as
 * `top` for such a power. */
void shrink_sizes_below(int64_t top, shrink_sizes *out);

/* Shrinks every dimension, then every two of them, until the next smaller sizes tried pass. */
void shrink_shape(shrinker *s);

/*
 * Writes which sizes, dtypes and forms around the best case fail: clauses separated by "; ". `first`: the case before
 * shrinking; `plain`: the shrunk shape with its original inputs.
 */
void shrink_say_when(shrinker *s, const conform_case *first, const conform_case *plain, char *out,
                     size_t bytes);

/* Writes the inputs of the best case as values and brings these toward 0, 1 and powers of two. Leaves `values` NULL if
 * there are too many, or if the written values do not fail. */
void shrink_values(shrinker *s);

/* Simplifies addresses, then the cuts into parts: none, one, or one along each axis, as near the beginning as
 * possible. */
void shrink_setting(shrinker *s);

#endif
