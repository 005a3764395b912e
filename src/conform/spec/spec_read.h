/* The parts of the reader of spec/ops/<op>.yaml; spec_yaml.c puts them together. */
#ifndef CONFORM_SPEC_READ_H
#define CONFORM_SPEC_READ_H

#include "spec.h"
#include "spec_doc.h"

/* The keys of one kind of map; spec/schema.yaml lists the same, and a test compares. */
typedef struct spec_table {
    const char *name;
    const spec_key *keys;
    size_t n;
} spec_table;

/* The key of that name; NULL: there is none. */
const spec_key *spec_find_key(const spec_table *table, const char *name);

/* Every table of the reader. Static. */
const spec_table *const *spec_op_tables(size_t *n);
extern const spec_table spec_table_arg, spec_table_dim, spec_table_always, spec_table_contract;
extern const spec_table spec_table_golden, spec_table_refuse, spec_table_bytes;

/* Readers for the values of the keys of a spec, into a spec_op; spec_read_golden and spec_read_refuse read one
 * entry. */
spec_reader spec_read_args, spec_read_dims, spec_read_dtypes, spec_read_out_dtypes;
spec_reader spec_read_always, spec_read_regimes;
spec_reader spec_read_split, spec_read_contract, spec_read_law;
spec_reader spec_read_golden, spec_read_refuse;
spec_pair_reader spec_read_values; /* one name and its values, into a spec_entry */

/* Accepts words for people: any scalar, or a list of them. */
spec_reader spec_read_words;

/* Reads a dtype by name. */
IFN_NODISCARD ifn_status spec_read_dtype(spec_doc *doc, spec_node *node, ifn_dtype *out);

/* Reads a list of dtypes and of words for several: `stored` are all that a file may hold, `stored blocks`
 * those of them that are made of blocks, `blocks of 32` and `blocks of 256` those of one size. */
IFN_NODISCARD ifn_status spec_read_dtype_list(spec_doc *doc, spec_node *node,
                                              ifn_dtype list[SPEC_MAX_DTYPES], int *n);

/* Reads a family of inputs by name. */
IFN_NODISCARD ifn_status spec_read_family(spec_doc *doc, spec_node *node, conform_family *out);

/* Checks what can only be checked when all has been read: undefined names, entries that do not fit, sizes and laws
 * that are no valid expressions. */
IFN_NODISCARD ifn_status spec_check(spec_doc *doc, spec_op *spec);

/* Reads the lines of the law; call it when everything that they may name has been read. */
IFN_NODISCARD ifn_status spec_read_law_lines(spec_doc *doc, spec_op *spec);

/* The place of an expression in the file, and its name in messages. */
typedef struct spec_place {
    int line, column;
    const char *what;
    bool is_size; /* it may name only dims and numbers */
} spec_place;

/* Reads an expression into the terms of the spec and sets *out to its root. */
IFN_NODISCARD ifn_status spec_read_term(spec_doc *doc, spec_op *spec, const spec_place *place,
                                        const char *text, int *out);
bool spec_term_is_tensor(const spec_op *spec, int term);

#endif
