/* The result of all runs of one model in one mode on one backend: a line of the report. */
#ifndef CONFORM_E2E_ROW_H
#define CONFORM_E2E_ROW_H

#include <stdint.h>

enum { E2E_NAME_BYTES = 64, E2E_WORD_BYTES = 12, E2E_TEXT_BYTES = 240, E2E_COMMAND_BYTES = 700 };

/* No pointers: rows are shared between processes. */
typedef struct e2e_row {
    int32_t tested;
    char model[E2E_NAME_BYTES];
    char weights[E2E_WORD_BYTES]; /* the dtype that most bytes of the file have */
    char graph[E2E_WORD_BYTES];   /* "fused", "primitive" */
    char activations[E2E_WORD_BYTES], kv[E2E_WORD_BYTES];
    char rule[E2E_WORD_BYTES]; /* exact, forced, free, long, ops, company: numerics 11 */
    int64_t runs, failed;      /* counted in runs; a run is one prompt in one chunking */
    int64_t steps, ties; /* positions judged; near ties where the backend chose the other token */
    double worst; /* error / (8 sigma), rule ops: error / bound; free runs: not judged by it */
    double kl_mean, kl_99, kl_max;
    int64_t tried, held, demanded;  /* pairs of runs compared bit for bit */
    char check[E2E_WORD_BYTES];     /* of the first failure; empty: none */
    char detail[E2E_TEXT_BYTES];    /* one line: where, found, expected; or why nothing was run */
    char first_bad[E2E_TEXT_BYTES]; /* the first op that breaks its contract; empty: not searched */
    char again[E2E_COMMAND_BYTES];  /* command that repeats the first failure alone; company only */
} e2e_row;

#endif
