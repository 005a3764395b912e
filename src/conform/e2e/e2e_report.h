/* Runs of whole models for people. */
#ifndef CONFORM_E2E_REPORT_H
#define CONFORM_E2E_REPORT_H

#include "run_report.h"

/* A table for each model and backend, and a line for each row that failed. */
void e2e_report_text(const conform_report *r, FILE *out);
/* What else is wrong, and the verdict, with the arithmetic that it is under. */
void e2e_report_verdict(const conform_report *r, FILE *out);

#endif
