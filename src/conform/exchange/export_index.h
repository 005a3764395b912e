/* Reads index.yaml of an export: the options that selected its cases, and the cases in order. */
#ifndef CONFORM_EXPORT_INDEX_H
#define CONFORM_EXPORT_INDEX_H

#include <stdint.h>

#include "case_id.h"
#include "spec_doc.h"

enum { EXPORT_MAX_WORDS = 128 };

typedef struct exported_case {
    char id[CONFORM_ID_BYTES], folder[24];
} exported_case;

typedef struct export_index {
    spec_doc doc;                  /* owns the text of `words` */
    int n_words;                   /* the options, as a command line of `conform export` */
    char *words[EXPORT_MAX_WORDS]; /* borrowed from doc */
    int64_t n, capacity;
    exported_case *cases; /* owned */
} export_index;

/* Reads the index of `dir`. The index must be closed even after a failure; closing an all-zero one is fine. */
IFN_NODISCARD ifn_status export_index_open(export_index *out, const char *dir, ifn_error *err);
void export_index_close(export_index *self);

#endif
