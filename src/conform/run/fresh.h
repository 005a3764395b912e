/* The results of a few cases of a run in another process: R0 between processes. */
#ifndef CONFORM_FRESH_H
#define CONFORM_FRESH_H

#include "verdict.h"

enum { FRESH_CASES = 4, FRESH_MOST = FRESH_CASES + IFN_DTYPE_COUNT };

/* How a case failed there; CHECK_NONE: it has not. */
typedef struct conform_fresh_failure {
    conform_check check;
    char detail[400];
} conform_fresh_failure;

typedef struct conform_fresh {
    int n;
    int n_dtypes; /* more cases after n: first calls of other dtypes; their bits do not count */
    int64_t at[FRESH_MOST]; /* indices of the cases in the run */
    uint64_t digest[CONFORM_MAX_TESTED][FRESH_MOST];
    conform_fresh_failure failed[CONFORM_MAX_TESTED][FRESH_MOST];
} conform_fresh;

/* 1 if case i of the run is among them. */
int conform_fresh_has(const conform_fresh *fresh, int64_t i);

/* Notes the verdict of case at[k] in the other process; the first failure is kept. */
void conform_fresh_note(conform_fresh *fresh, int k, int tested, const conform_verdict *verdict);

/* Counts the relation for case i of the run, if it is among them. Fails the case if its bits differ, or if it failed
 * there. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int tested,
                           conform_verdict *verdict);

#endif
