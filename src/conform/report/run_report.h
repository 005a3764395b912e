/* Reports: filled by a run, judged, merged; written by report_*.c, read back by report_read.c. */
#ifndef CONFORM_REPORT_H
#define CONFORM_REPORT_H

#include <stdio.h>

#include "json_writer.h"
#include "report_counts.h"

/* Memory runs out: aborts, as the report is all there is to show. */
void conform_report_open(conform_report *self, int n_tested);
void conform_report_close(conform_report *self);

conform_cell *conform_report_cell(const conform_report *self, ifn_op op, int tested);

/* The index of a label; -1: there is none. */
int conform_report_tested(const conform_report *self, const char *label);

/* Adds one verdict. `case_id` of conform_case_id. */
void conform_report_add(conform_report *self, const conform_case *c, int tested,
                        const conform_verdict *verdict);
void conform_report_keep(conform_report *self, const conform_failure *failure);

/* Adds what was run of a whole model, to the evidence as well. */
void conform_report_add_row(conform_report *self, const e2e_row *row);
void conform_report_keep_row(conform_report *self, const e2e_row *row);

void conform_report_problem(conform_report *self, const char *format, ...) IFN_PRINTF(2, 3);

/* Said as problems: an op of which not one case ran, a run without cases, refusals that are not
 * declared, errors to one side, bounds that nothing comes near. */
void conform_report_account(conform_report *self);
/* Of them: bounds that no T2 case comes near, which prove nothing (numerics 14), and errors to one
 * side (4.5). */
void conform_report_kinds(conform_report *self);
/* Whatever the baseline ran and this report refuses becomes a problem, and a worst error that has
 * doubled. */
void conform_report_compare(conform_report *self, const conform_report *baseline);

/* Adds the counts of a report of other cases, or of other backends. Returns 0 if there is no room.
 */
int conform_report_merge(conform_report *self, const conform_report *other);

int conform_report_is_conformant(const conform_report *self);
/* Nothing of this backend failed, and no problem is about it; those of other backends are not. */
int conform_report_tested_is_conformant(const conform_report *self, int tested);
/* The number of parts that the shard is one of; 1: it is everything, or merged. */
int64_t conform_report_shards(const conform_report *self);
/* "conformant", or not; and of which part alone, where it is one. */
void conform_report_verdict(const conform_report *self, FILE *out);

/* The tables have 80 columns; sentences are a line each, to be searched. */
void conform_report_text(const conform_report *self, int colour, FILE *out);
/* The same with sentences broken at column 80: for people at a terminal. */
void conform_report_terminal(const conform_report *self, int colour, FILE *out);
void conform_report_json(const conform_report *self, FILE *out);
/* "origin": {...} */
void conform_origin_json(const report_origin *origin, json_writer *out);
void conform_report_html(const conform_report *self, FILE *out);
void conform_report_junit(const conform_report *self, FILE *out);
void conform_report_github(const conform_report *self, FILE *out);
void conform_report_tap(const conform_report *self, FILE *out);

/* Reads what conform_report_json has written; of a museum's report what it is evidence of. */
IFN_NODISCARD ifn_status conform_report_read(const char *path, conform_report *out, ifn_error *err);

#endif
