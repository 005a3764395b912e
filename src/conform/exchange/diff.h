/* `inferno conform diff A.json B.json`: compares two reports and says what is new, gone, better or worse in B. */
#ifndef CONFORM_DIFF_H
#define CONFORM_DIFF_H

#include "options.h"
#include "run_report.h"

int conform_diff_main(const conform_options *options);

typedef enum diff_change { DIFF_SAME, DIFF_OTHER, DIFF_BETTER, DIFF_WORSE } diff_change;

/* An op on a backend in both reports; a or b is NULL if that report has no cases of it. */
typedef struct diff_cell {
    ifn_op op;
    const char *label; /* borrowed, as the cells are */
    const conform_cell *a, *b;
    diff_change change;
} diff_cell;

typedef struct report_diff {
    const conform_report *a, *b; /* borrowed */
    const char *path_a, *path_b;
    int64_t n;
    diff_cell *cells; /* [n], every op on every backend of either report; owned */
    int32_t n_lower;  /* backends whose rank has fallen */
    int64_t n_worse, n_better, n_other;
} report_diff;

/* Compares two reports. Aborts if memory runs out. */
void diff_open(report_diff *self, const conform_report *a, const conform_report *b);
void diff_close(report_diff *self);

/* Returns "worse", "better", "other" or "same". */
const char *diff_change_name(diff_change change);

/* Return 1 if the other report has the same failure on the same backend; the same problem. */
int diff_has_failure(const conform_report *other, const conform_report *r,
                     const conform_failure *f);
int diff_has_problem(const conform_report *other, const char *problem);
/* Counts the problems of B that A does not have. */
int diff_new_problems(const report_diff *self);
/* Returns 1 if an op is worse in B, a rank is lower, or B has a new problem. */
int diff_is_worse(const report_diff *self);

void diff_text(const report_diff *self, FILE *out);
void diff_html(const report_diff *self, FILE *out);

#endif
