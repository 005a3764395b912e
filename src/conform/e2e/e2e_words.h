/* The words of `inferno conform --e2e`. */
#ifndef CONFORM_E2E_WORDS_H
#define CONFORM_E2E_WORDS_H

#include "options.h"

enum { E2E_MAX_MODELS = 16, E2E_MAX_WORDS = 256 };

typedef struct e2e_words {
    int n_models;
    const char *models[E2E_MAX_MODELS]; /* paths, or "shipped"; borrowed from argv */
    int explain;                        /* --explain */
    int company;                        /* --company */
    int64_t n_runs;                     /* --runs; 0: what the profile says */
    conform_options options;            /* the others */
} e2e_words;

/* Errors name the option, what was found and what was expected. */
IFN_NODISCARD ifn_status e2e_words_parse(e2e_words *out, int argc, char **argv, ifn_error *err);

#endif
