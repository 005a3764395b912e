/* The sections of the HTML page of a report; report_html.c puts them together. */
#ifndef CONFORM_REPORT_HTML_H
#define CONFORM_REPORT_HTML_H

#include "run_report.h"

enum { HTML_ANCHOR_BYTES = 24 };

/* Makes the id of a failure's element. The same failure has the same id in every report. */
void html_anchor(const conform_report *r, const conform_failure *f, char out[HTML_ANCHOR_BYTES]);

/* Returns "failed", "refused", "blunt" or "passed": the value by which the page filters rows. */
const char *html_verdict(const conform_cell *c);
/* Writes the data-* attributes by which the page's script finds a row or a failure. */
void html_put_item(const conform_report *r, ifn_op op, int s, const char *verdict, FILE *out);

/* Draws which elements of the tensor are wrong and how far beyond their bound; nothing if the failure has no map. */
void html_error_map(const conform_failure *f, const char *anchor, FILE *out);

/* Returns 1 if any backend has a case of the op. */
int html_op_ran(const conform_report *r, int op);

/* The section of problems and failures. */
void html_failures(const conform_report *r, FILE *out);
/* The heat map of error / bound: op x backend x dtype. */
void html_ops(const conform_report *r, FILE *out);
/* A histogram for each op of how near its cases come to their bounds, and its worst case. */
void html_headroom(const conform_report *r, FILE *out);
void html_refusals(const conform_report *r, FILE *out);
void html_relations(const conform_report *r, FILE *out);

#endif
