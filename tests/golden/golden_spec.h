/* spec/generate/<name>.yaml as a struct: a prompt, and its continuation by other engines. Errors name file, line and
 * column. */
#ifndef GOLDEN_SPEC_H
#define GOLDEN_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/context.h>
#include <inferno/status.h>
#include <inferno/token.h>

enum { GOLDEN_MAX_TOP = 8, GOLDEN_MAX_ENGINES = 4 };

typedef struct golden_logit {
    ifn_token id;
    double logit;
} golden_logit;

/* One choice of the continuation; all ids before it are the golden ones. */
typedef struct golden_step {
    int n_top;
    golden_logit top[GOLDEN_MAX_TOP]; /* the leading candidates, best first; may be unknown */
    double margin;                    /* of the best two; decimals rounded, like theirs */
    double sigma;                     /* noise floor of f32 (numerics 11); 0: not stated */
} golden_step;

typedef struct golden_ids {
    ifn_token *ids; /* owned */
    size_t n;
} golden_ids;

typedef struct golden_spec {
    char *path;      /* owned, as all text here */
    char *model;     /* of the source tree, or after "external/" of the data from outside, or
                      * the name of a copy that a test makes */
    char sha256[65]; /* of that file */
    char *prompt;    /* NULL: prompt_ids come from no text */
    size_t prompt_bytes;
    golden_ids prompt_ids, expect_ids;
    golden_step *steps; /* one for each of expect_ids */
    size_t n_steps;
    uint32_t graphs; /* bit i: holds for graph i */
    ifn_activations activations;
    int n_engines; /* how many engines agree on all this */
} golden_spec;

/* Reads one file; free with golden_spec_free. IFN_ERR_IO: it cannot be opened. */
IFN_NODISCARD ifn_status golden_spec_read(const char *path, golden_spec *out, ifn_error *err);
void golden_spec_free(golden_spec *spec); /* also after a failed read */

#endif
