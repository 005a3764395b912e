/* The result of `bench MODEL` for one test, and the tables that show it. */
#ifndef IFN_CLI_BENCH_RESULT_H
#define IFN_CLI_BENCH_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_document.h"

enum { BENCH_MAX_RUNS = 100 };

/* Tokens per second of the middle run, the slowest and the fastest. */
typedef struct bench_rate {
    double median, low, high;
} bench_rate;

typedef struct bench_result {
    const char *model;   /* borrowed */
    char backend[128];   /* its expression */
    int64_t model_bytes; /* of the tensors */
    int64_t threads, depth;
    int64_t batch;                  /* rows of a pass: of a prompt, or one per sequence */
    int64_t n_prompt, n;            /* tokens of the prompt; tokens decoded; one of them is 0 */
    const char *clock;              /* "processor" or "wall" */
    double samples[BENCH_MAX_RUNS]; /* tokens per second, in the order of the runs */
    int n_samples;
    const char *kv;            /* "f16" or "q8_0", the KV cache; "": f32 */
    double per_token, ceiling; /* operations for prompts, bytes for decoding; ceiling per second */
    const char *memory;        /* the memory with these bytes: "memory", "L2"; "": operations */
    bench_rate old;            /* the older rate to compare with; median 0: none */
} bench_result;

bench_rate bench_rate_of(const double *samples, int n);
/* "pp512", "tg64", "tg64 @ d4096", "tg64 @ d4096 kv q8_0" */
void bench_test_name(const bench_result *r, char *out, size_t bytes);

typedef struct bench_output {
    bench_format format;
    bool is_compared;
    json_writer json;
} bench_output;

/* Print to standard output: the head with the facts, each row at once, the end. */
void bench_output_begin(bench_output *self, bench_format format, bool is_compared);
void bench_output_row(bench_output *self, const bench_result *r);
void bench_output_end(bench_output *self);

#endif
