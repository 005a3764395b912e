/* The report of a run: functions that fill, judge and merge it. report_*.c write it, report_read.c reads it back. */
#ifndef CONFORM_REPORT_H
#define CONFORM_REPORT_H

#include <stdio.h>

#include "json_writer.h"
#include "report_counts.h"

/* Aborts if memory runs out, as the report is the only result of a run. */
void conform_report_open(conform_report *self, int n_tested);
void conform_report_close(conform_report *self);

conform_cell *conform_report_cell(const conform_report *self, ifn_op op, int tested);

/* Returns the index of the backend with this label; -1: there is none. */
int conform_report_tested(const conform_report *self, const char *label);

/* Adds the verdict of one case on backend `tested`. */
void conform_report_add(conform_report *self, const conform_case *c, int tested,
                        const conform_verdict *verdict);
/* Appends a failure without counting it. Takes over `values` and `again`. */
void conform_report_keep(conform_report *self, const conform_failure *failure);

/* Adds a row of whole models and counts its runs as evidence. */
void conform_report_add_row(conform_report *self, const e2e_row *row);
/* Appends the row alone. */
void conform_report_keep_row(conform_report *self, const e2e_row *row);

void conform_report_problem(conform_report *self, const char *format, ...) IFN_PRINTF(2, 3);

/* Adds a problem for each of: an op whose cases were all refused, a run that executed nothing or fewer cases than
 * planned, an undeclared refusal, and what conform_report_kinds adds. */
void conform_report_account(conform_report *self);
/* Adds a problem for each backend of which a plugin file is no longer that whose hash the report has. */
void conform_report_check_files(conform_report *self);
/* Adds a problem for each bound that no T2 case comes near, as it proves nothing (numerics 14), and for errors that
 * lean to one side (4.5). */
void conform_report_kinds(conform_report *self);
/* Adds a problem for what the baseline ran and this run refuses or lacks, and for each worst error that has doubled. */
void conform_report_compare(conform_report *self, const conform_report *baseline);

/* Adds the counts of a report of other cases or of other backends. Returns 0 if there would be more than
 * CONFORM_MAX_TESTED backends. */
int conform_report_merge(conform_report *self, const conform_report *other);

int conform_report_is_conformant(const conform_report *self);
/* Returns 1 if nothing failed on this backend and each problem names another backend. */
int conform_report_tested_is_conformant(const conform_report *self, int tested);
/* Returns the n of shard "i/n"; 1 if the run is whole or merged. */
int64_t conform_report_shards(const conform_report *self);
/* Prints "conformant" or "NOT conformant", and the shard and filters if the run was not of everything. */
void conform_report_verdict(const conform_report *self, FILE *out);

/* Prints tables of 80 columns. Each sentence stays on one line, so that grep finds it. */
void conform_report_text(const conform_report *self, int colour, FILE *out);
/* Prints the same with sentences broken at column 80, for a terminal. */
void conform_report_terminal(const conform_report *self, int colour, FILE *out);
void conform_report_json(const conform_report *self, FILE *out);
/* Writes the member "origin": {...}. */
void conform_origin_json(const report_origin *origin, json_writer *out);
void conform_report_html(const conform_report *self, FILE *out);
void conform_report_junit(const conform_report *self, FILE *out);
void conform_report_github(const conform_report *self, FILE *out);
void conform_report_tap(const conform_report *self, FILE *out);

/* Reads a file that conform_report_json wrote. From a museum's report it reads the evidence alone. */
IFN_NODISCARD ifn_status conform_report_read(const char *path, conform_report *out, ifn_error *err);

#endif
