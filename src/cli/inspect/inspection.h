/* What `inspect` finds in a file, and how it is printed. */
#ifndef IFN_CLI_INSPECTION_H
#define IFN_CLI_INSPECTION_H

#include <stdbool.h>

#include <inferno/gguf.h>
#include <inferno/tokenizer.h>

#include "tensor_check.h"
#include "tensor_stats.h"

enum {
    INSPECT_SHOWN = 4,    /* elements of an array */
    INSPECT_PROBLEMS = 2, /* tokenizer and model */
    INSPECT_TYPES = 64    /* different tensor types in one file */
};

/* All tensors of one type together. */
typedef struct inspect_type {
    const char *name;
    uint64_t n_tensors, bytes, n_parameters;
} inspect_type;

typedef struct inspection {
    const ifn_gguf *gguf;              /* borrowed */
    const char *glob;                  /* tensors whose names fit are shown; NULL: all. Borrowed */
    inspect_type types[INSPECT_TYPES]; /* of those that are shown */
    size_t n_types;
    uint64_t n_shown, n_parameters, tensor_bytes;
    ifn_error problems[INSPECT_PROBLEMS];
    size_t n_problems;
    ifn_tokenizer *tokenizer; /* NULL: it is one of the problems */
    bool is_checked;
    tensor_check check;
    tensor_stats *stats; /* owned, of each tensor that is shown, in their order; NULL: not wanted */
} inspection;

/* IFN_ERR_FORMAT: a value is an array of arrays. */
ifn_status inspection_refuse_nested(const ifn_gguf *gguf, ifn_error *err);
/* Counts.
 * Errors  IFN_ERR_ARGUMENT: no tensor fits the glob; those of inspection_refuse_nested */
ifn_status inspection_find(inspection *self, ifn_error *err);
/* Finds what would keep the file from running. */
void inspection_find_problems(inspection *self);
/* Reads the tensors that are shown. Errors: those of tensor_scan_rows. */
ifn_status inspection_find_stats(inspection *self, progress *bar, ifn_error *err);
void inspection_free(inspection *self); /* not the file */

/* A tensor whose name fits, or any where there is no glob. */
bool inspection_shows(const inspection *self, const ifn_gguf_tensor *tensor);
/* Odd metadata that changes no answer; NULL after the last. */
const char *inspection_warning(const inspection *self, int i);
/* Elements of a value that are shown. */
uint64_t inspection_n_shown(const ifn_gguf_kv *entry);

bool inspection_is_float(ifn_gguf_type type);
bool inspection_is_unsigned(ifn_gguf_type type);

/* "(u32) = 512", "= [3 strings] "a", "b", "c"" */
void inspection_print_value(const ifn_gguf *gguf, const ifn_gguf_kv *entry, FILE *out);
/* "[300, 64]", rows first. */
void inspection_shape(const ifn_tensor *view, char *out, size_t bytes);

void inspection_print(const inspection *self, FILE *out);
void inspection_json(const inspection *self, FILE *out);

#endif
