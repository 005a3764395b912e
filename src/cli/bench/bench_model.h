/* bench MODEL: prompts, and single tokens after them, beside what the machine could do. */
#ifndef IFN_CLI_BENCH_MODEL_H
#define IFN_CLI_BENCH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/status.h>

#include "args.h"
#include "bench_list.h"
#include "bench_result.h"

enum { BENCH_MAX_SEQUENCES = 1024 };

typedef struct bench_model {
    char *const *paths; /* [n_paths] */
    int n_paths;
    arg_list backends; /* expressions; none: the best there is */
    /* Tokens of a prompt, and decoded one by one; in the context before either; threads, 0 where
     * the backend chooses; tokens in one pass. */
    bench_list prompts, decodes, depths, threads, batches;
    bench_list sequences;       /* decoded together; 1: one alone */
    int64_t kv;                 /* IFN_KV_F32 ... */
    int64_t page_rows, n_pages; /* of the KV cache; 0: no pages, and as many as could be filled */
    int64_t n_runs;
    bool is_wall; /* the wall clock also for one thread */
    bool is_quiet;
    bench_format format;
    const char *cache; /* of prepared weights, as generate has it, or NULL */
    const char *old;   /* a result to compare with, or NULL */
    const char *chart; /* where rates are drawn over depth and threads, or NULL */
} bench_model;

/*
 * Prints one row for each model, backend, number of threads, depth and test, prompts once for each batch.
 * One thread is timed in its own processor time: what others take does not count. Several are
 * timed by the wall clock. Operations are those of the matrices of all layers, bytes those of all
 * weights a token needs, as in the file, and of the keys and values before it; the ceilings are
 * measured in the same process.
 * Errors: those of opening what is named; IFN_ERR_NUMERIC for logits that are not finite.
 */
ifn_status bench_model_run(const bench_model *self, ifn_error *err);

#endif
