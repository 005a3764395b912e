/* bench MODEL: a prompt and some tokens after it, on one thread, beside what the machine could do.
 */
#ifndef IFN_CLI_BENCH_MODEL_H
#define IFN_CLI_BENCH_MODEL_H

#include <stdint.h>

#include <inferno/status.h>

typedef struct bench_model {
    const char *path, *backend;
    int64_t n_prompt, n; /* tokens of the prompt; tokens decoded one by one, from none on */
} bench_model;

/*
 * Prints the medians of three passes, with the ceilings measured in each of them. Operations are
 * those of the matrices of all layers, bytes those of all weights a token needs, as in the file.
 * Errors: those of opening the model; IFN_ERR_ARGUMENT for a backend with threads.
 */
ifn_status bench_model_run(const bench_model *self, int is_json, ifn_error *err);

#endif
