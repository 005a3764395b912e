/* Prints the failures of a report as text. */
#ifndef CONFORM_REPORT_FAILURES_H
#define CONFORM_REPORT_FAILURES_H

#include "run_report.h"

/* Prints one failure of each cause (op, backend, judgement, dtype) and how many cases it stands for; with `shows_all`
 * every kept failure. Each ends with the command that repeats it. */
void conform_report_failures(const conform_report *r, FILE *out);

/* Returns 1 if failure i is the first kept one of its op, backend and judgement. */
int conform_report_is_first(const conform_report *r, int64_t i);

#endif
