/* Prints runs of whole models as text. */
#ifndef CONFORM_E2E_REPORT_H
#define CONFORM_E2E_REPORT_H

#include "run_report.h"

/* Prints a table for each model and backend, and a line for each row that failed. */
void e2e_report_text(const conform_report *r, FILE *out);
/* Prints problems and the verdict, with the arithmetic that the backends declare. */
void e2e_report_verdict(const conform_report *r, FILE *out);

#endif
