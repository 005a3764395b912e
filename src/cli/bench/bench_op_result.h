/* The result of `bench --op` for one call, and the tables that show it. */
#ifndef IFN_CLI_BENCH_OP_RESULT_H
#define IFN_CLI_BENCH_OP_RESULT_H

#include <stdbool.h>

#include <inferno/ops.h>

#include "bench_document.h"
#include "ceilings.h"

typedef struct bench_op_result {
    ifn_op op;
    ifn_dtype dtype;   /* of weights, table or cache; else of the output */
    char backend[128]; /* its expression */
    const char *by;    /* the backend that implements the op; static */
    char sizes[160];
    bool is_packed, is_wall;
    int threads;
    const char *problem; /* why it was not timed; NULL: it was. Static */
    bench_time time;     /* seconds of a call */
    ifn_op_cost cost;
    double operations, bytes; /* the ceilings, per second */
    const char *memory;       /* the memory that holds its data: "memory", "L2" */
    double scalar, simd;      /* seconds of the same call on these with one thread; 0: unknown */
} bench_op_result;

/* All results of a command. All zero: there are none. */
typedef struct bench_op_results {
    bench_op_result *at; /* owned */
    int n, room;
} bench_op_results;

ifn_status bench_op_results_add(bench_op_results *self, const bench_op_result *r, ifn_error *err);
void bench_op_results_free(bench_op_results *self);

/* Returns true if the bytes of a call take longer at their ceiling than the operations at theirs. */
bool bench_op_is_bound_by_bytes(const bench_op_result *r);
/* Return the rate of that resource that the call reaches; its ceiling. Per second. */
double bench_op_rate(const bench_op_result *r);
double bench_op_ceiling(const bench_op_result *r);

typedef struct bench_op_table {
    bench_format format;
    json_writer json;
} bench_op_table;

/* Print to standard output: the head with the facts, each row at once, the end. */
void bench_op_begin(bench_op_table *self, bench_format format);
void bench_op_row(bench_op_table *self, const bench_op_result *r);
void bench_op_end(bench_op_table *self);

#endif
