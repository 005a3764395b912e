/* The failures of a report, for people. */
#ifndef CONFORM_REPORT_FAILURES_H
#define CONFORM_REPORT_FAILURES_H

#include "run_report.h"

/* One of each cause (op, backend, judgement, dtype) and how many cases it stands for; with
 * `shows_all` every one that was kept. Each ends with the command that repeats it. */
void conform_report_failures(const conform_report *r, FILE *out);

#endif
