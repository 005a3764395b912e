/* The failures of a report, for people. */
#ifndef CONFORM_REPORT_FAILURES_H
#define CONFORM_REPORT_FAILURES_H

#include "run_report.h"

/* One of each cause (op, backend, judgement, dtype) and how many cases it stands for; with
 * `shows_all` every one that was kept. Each ends with the command that repeats it. */
void conform_report_failures(const conform_report *r, FILE *out);

/* 1 if failure i is the first of its op on its backend by its judgement. */
int conform_report_is_first(const conform_report *r, int64_t i);

#endif
