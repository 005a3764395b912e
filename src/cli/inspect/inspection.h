/* The result of `inspect` for a file, and functions that print it. */
#ifndef IFN_CLI_INSPECTION_H
#define IFN_CLI_INSPECTION_H

#include <stdbool.h>

#include <inferno/gguf.h>
#include <inferno/tokenizer.h>

#include "tensor_check.h"
#include "tensor_stats.h"

enum {
    INSPECT_SHOWN = 4,    /* elements of an array that are shown */
    INSPECT_PROBLEMS = 2, /* tokenizer and model */
    INSPECT_TYPES = 64    /* different tensor types in one file */
};

/* Sums over all tensors of one type. */
typedef struct inspect_type {
    const char *name;
    uint64_t n_tensors, bytes, n_parameters;
} inspect_type;

typedef struct inspection {
    const ifn_gguf *gguf;              /* borrowed */
    const char *glob;                  /* selects tensors by name; NULL: all. Borrowed */
    inspect_type types[INSPECT_TYPES]; /* of the selected tensors */
    size_t n_types;
    uint64_t n_shown, n_parameters, tensor_bytes;
    ifn_error problems[INSPECT_PROBLEMS];
    size_t n_problems;
    ifn_tokenizer *tokenizer; /* NULL: it could not be opened, which is among the problems */
    bool is_checked;
    tensor_check check;
    tensor_stats *stats; /* one per selected tensor, in order; owned; NULL: not wanted */
} inspection;

/* IFN_ERR_FORMAT: a value is an array of arrays. */
ifn_status inspection_refuse_nested(const ifn_gguf *gguf, ifn_error *err);
/* Counts tensors, parameters and bytes.
 * Errors  IFN_ERR_ARGUMENT: no tensor fits the glob; those of inspection_refuse_nested */
ifn_status inspection_find(inspection *self, ifn_error *err);
/* Finds problems that keep the file from running. */
void inspection_find_problems(inspection *self);
/* Reads the selected tensors for statistics. Errors: those of tensor_scan_rows. */
ifn_status inspection_find_stats(inspection *self, progress *bar, ifn_error *err);
void inspection_free(inspection *self); /* not the file */

/* Returns true if the glob selects the tensor, or there is no glob. */
bool inspection_shows(const inspection *self, const ifn_gguf_tensor *tensor);
/* Returns the i-th warning of odd metadata that changes no answer; NULL after the last. */
const char *inspection_warning(const inspection *self, int i);
/* Returns how many elements of a value are shown. */
uint64_t inspection_n_shown(const ifn_gguf_kv *entry);

bool inspection_is_float(ifn_gguf_type type);
bool inspection_is_unsigned(ifn_gguf_type type);

/* Prints type and value: "(u32) = 512", "= [3 strings] "a", "b", "c"". */
void inspection_print_value(const ifn_gguf *gguf, const ifn_gguf_kv *entry, FILE *out);
/* Writes the shape, rows first: "[300, 64]". */
void inspection_shape(const ifn_tensor *view, char *out, size_t bytes);

void inspection_print(const inspection *self, FILE *out);
void inspection_json(const inspection *self, FILE *out);

#endif
