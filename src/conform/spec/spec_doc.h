/*
 * A YAML file as a tree of nodes, with errors that state line and column. The keys of a map are listed in a table; a
 * key that the table does not name is an error. Specs of every kind and reports are read through this.
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
/* The same for a text; messages have its name in place of the path. */
IFN_NODISCARD ifn_status spec_doc_open_text(spec_doc *doc, const char *name, const char *text,
                                            ifn_error *err);
void spec_doc_close(spec_doc *doc);
spec_node *spec_doc_root(spec_doc *doc);

/* Return IFN_ERR_FORMAT and the message "path:line:column: ..." for a node, or for any place. */
ifn_status spec_doc_fail(spec_doc *doc, const spec_node *at, const char *format, ...)
    IFN_PRINTF(3, 4);
ifn_status spec_doc_fail_at(spec_doc *doc, int line, int column, const char *format, ...)
    IFN_PRINTF(4, 5);

const char *spec_node_text(const spec_node *node); /* borrowed; "" where it is no scalar */
int spec_node_line(const spec_node *node);         /* from 1 */
int spec_node_column(const spec_node *node);       /* from 1 */

/* Reads a value into the struct `into`. */
typedef ifn_status spec_reader(spec_doc *doc, spec_node *value, void *into);

/* One row of the table of a map's keys. */
typedef struct spec_key {
    const char *name;
    bool is_required;
    spec_reader *read;
} spec_key;

/* Reads a map: every key must be in the table and occur once, every required key must be there. */
IFN_NODISCARD ifn_status spec_doc_map(spec_doc *doc, spec_node *node, const spec_key *keys,
                                      size_t n, void *into);

/* Reads a map whose keys are names that only the reader knows. */
typedef ifn_status spec_pair_reader(spec_doc *doc, spec_node *key, spec_node *value, void *into);
IFN_NODISCARD ifn_status spec_doc_pairs(spec_doc *doc, spec_node *node, spec_pair_reader *read,
                                        void *into);

/* Reads a list of at most `max` values. */
IFN_NODISCARD ifn_status spec_doc_list(spec_doc *doc, spec_node *node, int max, spec_reader *read,
                                       void *into);

/* Read scalars. Numbers are plain scalars: a quoted one is text. */
IFN_NODISCARD ifn_status spec_doc_text(spec_doc *doc, spec_node *node, const char **out);
IFN_NODISCARD ifn_status spec_doc_name(spec_doc *doc, spec_node *node, char *out, size_t bytes);
IFN_NODISCARD ifn_status spec_doc_copy(spec_doc *doc, spec_node *node, char **out); /* by malloc */
IFN_NODISCARD ifn_status spec_doc_integer(spec_doc *doc, spec_node *node, int64_t *out);
/* An integer of at least `least`, with an upper limit so that sums of a few of them do not overflow. */
IFN_NODISCARD ifn_status spec_doc_count(spec_doc *doc, spec_node *node, int64_t least,
                                        int64_t *out);
IFN_NODISCARD ifn_status spec_doc_number(spec_doc *doc, spec_node *node, double *out);
/* The same; an integer that binary64 would round is refused. */
IFN_NODISCARD ifn_status spec_doc_exact_number(spec_doc *doc, spec_node *node, double *out);
int spec_node_is_null(const spec_node *node); /* null or ~ */
int spec_node_is_number(const spec_node *node);

#endif
