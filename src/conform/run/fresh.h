/* What a few cases of a run gave in another process: R0 between processes. */
#ifndef CONFORM_FRESH_H
#define CONFORM_FRESH_H

#include "verdict.h"

enum { FRESH_CASES = 4 };

typedef struct conform_fresh {
    int n;
    int64_t at[FRESH_CASES]; /* which cases of the run */
    uint64_t digest[CONFORM_MAX_TESTED][FRESH_CASES];
} conform_fresh;

/* 1 if case i of the run is one of them. */
int conform_fresh_has(const conform_fresh *fresh, int64_t i);

/* Counts the relation for case i of the run, if it is one of them; other bits fail it. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int tested,
                           conform_verdict *verdict);

#endif
