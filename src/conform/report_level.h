/*
 * How far a backend has proved itself, from what a report counts and nothing else.
 *
 *   Bronze  every op of the list was executed, no case failed in what it computes, nothing is
 *           refused that the manifest does not declare, no op is judged by blunt cases alone, no
 *           error is biased
 *   Silver  Bronze, and every relation R0 .. R9 was tried, and none failed that must hold
 *   Gold    Silver, and nothing was written or read where it must not be, registers were looked at,
 *           and the report has evidence of whole models and of a museum without survivors
 */
#ifndef CONFORM_REPORT_LEVEL_H
#define CONFORM_REPORT_LEVEL_H

#include "run_report.h"

typedef enum conform_rank { RANK_NONE, RANK_BRONZE, RANK_SILVER, RANK_GOLD } conform_rank;

typedef struct conform_level {
    conform_rank rank;
    char lacks[200];              /* what keeps it from the next rank; empty for Gold */
    int own;                      /* ops that the backend implements itself */
    char base[REPORT_NAME_BYTES]; /* from whom it has most of the others; empty: none */
} conform_level;

conform_level conform_level_of(const conform_report *r, int subject);
const char *conform_rank_name(conform_rank rank);

/* One line for each backend. */
void conform_report_levels(const conform_report *r, FILE *out);

/* `inferno conform level A.json ...`: of the reports together. 0, or 1 where a backend has none. */
int conform_level_main(int argc, char **argv);

#endif
