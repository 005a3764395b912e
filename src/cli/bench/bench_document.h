/* Common parts of result documents: a head with the facts of a run (bench_facts.h), and CSV fields. */
#ifndef IFN_CLI_BENCH_DOCUMENT_H
#define IFN_CLI_BENCH_DOCUMENT_H

#include "json_writer.h"

typedef enum bench_format { BENCH_MD, BENCH_CSV, BENCH_JSON } bench_format;

/* Prints the facts, one per line, and an empty line. */
void bench_document_md(void);
/* Print the names of facts; their values: the first fields of the head, and of each row. */
void bench_document_csv_head(void);
void bench_document_csv_row(void);
/* Prints a quoted field, with quotes doubled (RFC 4180), and a comma. */
void bench_document_csv_field(const char *text);
/* Writes a document up to the open array "results". */
void bench_document_json(json_writer *json, const char *kind);
void bench_document_json_end(json_writer *json);

void bench_document_text(json_writer *json, const char *key, const char *value);
void bench_document_int(json_writer *json, const char *key, int64_t value);
void bench_document_double(json_writer *json, const char *key, double value);

#endif
