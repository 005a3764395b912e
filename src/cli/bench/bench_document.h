/* What results have in common: a head that says where they were made, and fields of CSV. */
#ifndef IFN_CLI_BENCH_DOCUMENT_H
#define IFN_CLI_BENCH_DOCUMENT_H

#include "json_writer.h"

typedef enum bench_format { BENCH_MD, BENCH_CSV, BENCH_JSON } bench_format;

/* The facts, a line each, and an empty line. */
void bench_document_md(void);
/* Their names, then their values: the first fields of a head and of each row. */
void bench_document_csv_head(void);
void bench_document_csv_row(void);
/* A field in quotes, quotes doubled (RFC 4180), and a comma. */
void bench_document_csv_field(const char *text);
/* Up to the value of "results", an array that is open. */
void bench_document_json(json_writer *json, const char *kind);
void bench_document_json_end(json_writer *json);

void bench_document_text(json_writer *json, const char *key, const char *value);
void bench_document_int(json_writer *json, const char *key, int64_t value);
void bench_document_double(json_writer *json, const char *key, double value);

#endif
