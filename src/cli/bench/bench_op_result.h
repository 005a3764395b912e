/* What `bench --op` finds out about one call, and the tables it goes into. */
#ifndef IFN_CLI_BENCH_OP_RESULT_H
#define IFN_CLI_BENCH_OP_RESULT_H

#include <stdbool.h>

#include <inferno/ops.h>

#include "bench_document.h"
#include "ceilings.h"

typedef struct bench_op_result {
    ifn_op op;
    ifn_dtype dtype;   /* of weights, table or cache, or of what is written */
    char backend[128]; /* its expression */
    const char *by;    /* who implements the op; static */
    char sizes[160];
    bool is_packed, is_wall;
    int threads;
    const char *problem; /* why there is no speed; NULL: there is one. Static */
    bench_time time;     /* seconds of a call */
    ifn_op_cost cost;
    double operations, bytes; /* the ceilings, per second */
    const char *memory;       /* where what it touches lies: "memory", "L2" */
    double scalar, simd;      /* seconds of the same call on one thread of these; 0: not known */
} bench_op_result;

/* All of a command. All zero: there are none. */
typedef struct bench_op_results {
    bench_op_result *at; /* owned */
    int n, room;
} bench_op_results;

ifn_status bench_op_results_add(bench_op_results *self, const bench_op_result *r, ifn_error *err);
void bench_op_results_free(bench_op_results *self);

/* The roof over a call: bytes where these take longer at the ceilings than the operations. */
bool bench_op_is_bound_by_bytes(const bench_op_result *r);
/* What is reached of it, per second, and the most there is. */
double bench_op_rate(const bench_op_result *r);
double bench_op_ceiling(const bench_op_result *r);

typedef struct bench_op_table {
    bench_format format;
    json_writer json;
} bench_op_table;

/* To standard output: the head with the facts, a row as soon as there is one, the end. */
void bench_op_begin(bench_op_table *self, bench_format format);
void bench_op_row(bench_op_table *self, const bench_op_result *r);
void bench_op_end(bench_op_table *self);

#endif
