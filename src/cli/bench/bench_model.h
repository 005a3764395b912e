/* bench MODEL: times prompts and decoding, and compares them with what the machine could reach. */
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
    /* prompts: tokens of a prompt; decodes: tokens decoded one by one; depths: tokens in the context before; threads: 0
     * means that the backend chooses; batches: tokens in one pass. */
    bench_list prompts, decodes, depths, threads, batches;
    bench_list sequences;       /* decoded together; 1: one alone */
    int64_t kv;                 /* IFN_KV_F32 ... */
    int64_t page_rows, n_pages; /* of the KV cache; 0: no pages; as many as could be filled */
    int64_t n_runs;
    bool is_wall; /* use the wall clock for one thread, too */
    bool is_quiet;
    bench_format format;
    const char *cache; /* of prepared weights, as generate has it, or NULL */
    const char *old;   /* a result to compare with, or NULL */
    const char *chart; /* where rates are drawn over depth and threads, or NULL */
} bench_model;

/*
 * Prints one row for each model, backend, number of threads, depth and test; prompts once for each batch size. A
 * single thread is timed in its own processor time, so that time of other processes does not count; several threads
 * are timed by the wall clock. Operations are those of the matrices of all layers; bytes are those of all weights
 * that a token needs, as in the file, and of the keys and values before it. The ceilings are measured in the same
 * process. Errors: those of opening what is named; IFN_ERR_NUMERIC for logits that are not finite.
 */
ifn_status bench_model_run(const bench_model *self, ifn_error *err);

#endif
