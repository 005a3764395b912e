/* Warnings about oddities in a file's metadata that do not change results: one line each. */
#ifndef IFN_TOKENIZER_WARNINGS_H
#define IFN_TOKENIZER_WARNINGS_H

#include <inferno/status.h>

enum { IFN_MAX_WARNINGS = 12 };

typedef struct ifn_warnings {
    int n;
    ifn_error lines[IFN_MAX_WARNINGS]; /* their texts */
} ifn_warnings;

/* Adds a line; does nothing if `self` is NULL. */
void ifn_warn(ifn_warnings *self, const char *format, ...) IFN_PRINTF(2, 3);

#endif
