/*
 * A YAML file as a tree whose errors know line and column, and maps whose keys stand in a table:
 * what the table does not name is an error. Specs of every kind are read through this, and reports.
 */
#ifndef CONFORM_SPEC_DOC_H
#define CONFORM_SPEC_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

#include <yaml.h>

typedef yaml_node_t spec_node;

typedef struct spec_doc {
    const char *path; /* borrowed until the doc is closed */
    yaml_document_t tree;
    ifn_error *err; /* may be NULL */
} spec_doc;

/* Reads a file that holds exactly one document. IFN_ERR_IO: it cannot be read. */
IFN_NODISCARD ifn_status spec_doc_open(spec_doc *doc, const char *path, ifn_error *err);
/* The same of a text, whose name stands where the path would. */
IFN_NODISCARD ifn_status spec_doc_open_text(spec_doc *doc, const char *name, const char *text,
                                            ifn_error *err);
void spec_doc_close(spec_doc *doc);
spec_node *spec_doc_root(spec_doc *doc);

/* IFN_ERR_FORMAT and "path:line:column: ..." of a node, or of any place. */
ifn_status spec_doc_fail(spec_doc *doc, const spec_node *at, const char *format, ...)
    IFN_PRINTF(3, 4);
ifn_status spec_doc_fail_at(spec_doc *doc, int line, int column, const char *format, ...)
    IFN_PRINTF(4, 5);

const char *spec_node_text(const spec_node *node); /* borrowed; "" where it is no scalar */
int spec_node_line(const spec_node *node);         /* from 1 */
int spec_node_column(const spec_node *node);       /* from 1 */

/* What becomes of a value. */
typedef ifn_status spec_reader(spec_doc *doc, spec_node *value, void *into);

/* One row of the table of a map's keys. */
typedef struct spec_key {
    const char *name;
    bool is_required;
    spec_reader *read;
} spec_key;

/* A map: every key is in the table and there once, every required one is there. */
IFN_NODISCARD ifn_status spec_doc_map(spec_doc *doc, spec_node *node, const spec_key *keys,
                                      size_t n, void *into);

/* A map whose keys are names of the reader's own. */
typedef ifn_status spec_pair_reader(spec_doc *doc, spec_node *key, spec_node *value, void *into);
IFN_NODISCARD ifn_status spec_doc_pairs(spec_doc *doc, spec_node *node, spec_pair_reader *read,
                                        void *into);

/* A list of at most `max` values. */
IFN_NODISCARD ifn_status spec_doc_list(spec_doc *doc, spec_node *node, int max, spec_reader *read,
                                       void *into);

/* Scalars. Numbers are plain: a quoted one is text. */
IFN_NODISCARD ifn_status spec_doc_text(spec_doc *doc, spec_node *node, const char **out);
IFN_NODISCARD ifn_status spec_doc_name(spec_doc *doc, spec_node *node, char *out, size_t bytes);
IFN_NODISCARD ifn_status spec_doc_copy(spec_doc *doc, spec_node *node, char **out); /* by malloc */
IFN_NODISCARD ifn_status spec_doc_integer(spec_doc *doc, spec_node *node, int64_t *out);
/* From `least` on, and so many that a few of them can be added up without looking. */
IFN_NODISCARD ifn_status spec_doc_count(spec_doc *doc, spec_node *node, int64_t least,
                                        int64_t *out);
IFN_NODISCARD ifn_status spec_doc_number(spec_doc *doc, spec_node *node, double *out);
/* The same; an integer that binary64 would round is refused. */
IFN_NODISCARD ifn_status spec_doc_exact_number(spec_doc *doc, spec_node *node, double *out);
int spec_node_is_null(const spec_node *node); /* null or ~ */
int spec_node_is_number(const spec_node *node);

#endif
