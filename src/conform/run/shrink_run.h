/* A search for a smaller case: what shrink.c, shrink_values.c and shrink_setting.c share. */
#ifndef CONFORM_SHRINK_RUN_H
#define CONFORM_SHRINK_RUN_H

#include "run_report.h"
#include "runner.h"

typedef struct shrinker {
    conform_runner *runner;
    int tested;
    conform_check check; /* smaller cases must fail in the same way */
    int n_tries;         /* with so many seeds a case is tried, until it fails */
    conform_case best;
    spec_entry *values; /* of `best`, where these are not made from its seed; may be NULL */
    double seconds;     /* all of a search may take */
    uint64_t deadline;
    ifn_status status; /* of the machinery, not of the case */
    ifn_error *err;
} shrinker;

/* 1 if a case fails in the same way; its seed becomes the one with which it does. */
int shrink_fails(shrinker *s, conform_case *c);

/* Runs a case, with the shrinker's values if it has some; keeps it if it fails in the same way. */
int shrink_try(shrinker *s, const conform_case *c);

enum { SHRINK_SIZES = 160 };

typedef struct shrink_sizes {
    int n;
    int64_t at[SHRINK_SIZES];
} shrink_sizes;

/* Below `top`, in order: small ones, those around powers of two, and those that leave what `top`
 * leaves when it is divided by one. */
void shrink_sizes_below(int64_t top, shrink_sizes *out);

/* Every dimension, then every two of them, down to where the next smaller sizes tried pass. */
void shrink_shape(shrinker *s);

/*
 * Which sizes, dtypes and forms fail around the best case, as the tries say: one sentence, its
 * parts apart by "; ". `first`: the case that was to be made smaller; `plain`: with the inputs it
 * had.
 */
void shrink_say_when(shrinker *s, const conform_case *first, const conform_case *plain, char *out,
                     size_t bytes);

/* Writes the inputs of the best case down and brings them toward 0, 1 and powers of two. Leaves
 * `values` NULL where they are too many, or where as written values they do not fail. */
void shrink_values(shrinker *s);

/* Addresses, then the cuts into parts: from none to one, as small as they come. */
void shrink_setting(shrinker *s);

#endif
