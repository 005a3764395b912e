/* Prints the numbers of a failure: got, want, bound, error / bound. */
#ifndef CONFORM_REPORT_NUMBERS_H
#define CONFORM_REPORT_NUMBERS_H

#include "run_report.h"

/* Layout of the numbers: the text before the first and before each later one, and the width of their names. */
typedef struct numbers_form {
    const char *first, *next;
    int name_width;
} numbers_form;

/* "out[3]: got 1.5 (...), want 1.25 (...), bound 0.125, error/bound 2, 7 ulp" */
extern const numbers_form conform_numbers_in_line;

/* Returns 1 if the verdict is about the value of an element. */
int conform_is_by_value(const conform_verdict *v);
/* Returns 1 if it also names the element, so that conform_put_numbers can print it. */
int conform_has_numbers(const conform_verdict *v);
void conform_put_numbers(const conform_verdict *v, const numbers_form *form, FILE *out);

#endif
