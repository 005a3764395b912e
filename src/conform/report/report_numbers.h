/* The numbers of a failure: got, want, bound and how far beyond it. */
#ifndef CONFORM_REPORT_NUMBERS_H
#define CONFORM_REPORT_NUMBERS_H

#include "run_report.h"

/* How they stand: what comes before the first and before each other one, and how wide "got" is. */
typedef struct numbers_form {
    const char *first, *next;
    int name_width;
} numbers_form;

/* "out[3]: got 1.5 (...), want 1.25 (...), bound 0.125, error/bound 2, 7 ulp" */
extern const numbers_form conform_numbers_in_line;

/* 1: what an element has failed by; and of which one the next function says something. */
int conform_is_by_value(const conform_verdict *v);
int conform_has_numbers(const conform_verdict *v);
void conform_put_numbers(const conform_verdict *v, const numbers_form *form, FILE *out);

#endif
