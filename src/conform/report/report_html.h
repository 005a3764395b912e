/* The parts of a report's page, which report_html.c puts together. */
#ifndef CONFORM_REPORT_HTML_H
#define CONFORM_REPORT_HTML_H

#include "run_report.h"

enum { HTML_ANCHOR_BYTES = 24 };

/* The same for the same failure of another report. */
void html_anchor(const conform_report *r, const conform_failure *f, char out[HTML_ANCHOR_BYTES]);

/* "failed", "refused", "blunt" or "passed": what rows are filtered by. */
const char *html_verdict(const conform_cell *c);
/* Attributes by which the script finds a row or a failure. */
void html_put_item(const conform_report *r, ifn_op op, int s, const char *verdict, FILE *out);

/* Which elements of the tensor are wrong, and how far beyond their bound; nothing where that is not
 * known. */
void html_error_map(const conform_failure *f, const char *anchor, FILE *out);

int html_op_ran(const conform_report *r, int op);

/* Problems and failures. */
void html_failures(const conform_report *r, FILE *out);
/* op x backend x dtype by error / bound. */
void html_ops(const conform_report *r, FILE *out);
/* How near the cases of each op come to their bounds; the worst one of each. */
void html_headroom(const conform_report *r, FILE *out);
void html_refusals(const conform_report *r, FILE *out);
void html_relations(const conform_report *r, FILE *out);

#endif
