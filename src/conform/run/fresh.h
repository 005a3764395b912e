/* What a few cases of a run gave in another process: R0 between processes. */
#ifndef CONFORM_FRESH_H
#define CONFORM_FRESH_H

#include "verdict.h"

enum { FRESH_CASES = 4, FRESH_MOST = FRESH_CASES + IFN_DTYPE_COUNT };

/* CHECK_NONE: the case has not failed there. */
typedef struct conform_fresh_failure {
    conform_check check;
    char detail[400];
} conform_fresh_failure;

typedef struct conform_fresh {
    int n;
    int n_dtypes; /* of those that follow: first calls of other dtypes, whose bits are not compared */
    int64_t at[FRESH_MOST]; /* which cases of the run */
    uint64_t digest[CONFORM_MAX_TESTED][FRESH_MOST];
    conform_fresh_failure failed[CONFORM_MAX_TESTED][FRESH_MOST];
} conform_fresh;

/* 1 if case i of the run is one of them. */
int conform_fresh_has(const conform_fresh *fresh, int64_t i);

/* Case at[k] has this verdict in the other process; the first failure stays. */
void conform_fresh_note(conform_fresh *fresh, int k, int tested, const conform_verdict *verdict);

/* Counts the relation for case i of the run, if it is one of them; other bits fail it, and so does what has failed there. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int tested,
                           conform_verdict *verdict);

#endif
