/* One product of `bench ops`, with its operands: matmul, linear or linear_q8. */
#ifndef IFN_CLI_BENCH_CASE_H
#define IFN_CLI_BENCH_CASE_H

#include <inferno/backend.h>
#include <stdbool.h>

#include "bench.h"

/* out[m, p], over n */
typedef struct bench_shape {
    int64_t m, n, p;
} bench_shape;

typedef struct bench_case {
    ifn_backend *backend;
    ifn_op op;
    ifn_dtype dtype; /* of the weights */
    bench_shape shape;
    bool is_packed;
    bool is_hot; /* one copy of the weights, however few rows read it */
    /* owned: as many copies of the weights as make them too large for a cache, where they are cold
     */
    int n_copies, next;
    ifn_tensor *tensors;
    ifn_packed *packed;
    unsigned char *weights;
    void *x, *scratch;
    float *out;
    size_t scratch_bytes, weight_bytes;
} bench_case;

/* Weights that few rows read are cold: decoding meets them so. Errors: IFN_ERR_NOMEM. */
ifn_status bench_case_open(bench_case *self, ifn_error *err);
void bench_case_close(bench_case *self);

/* One call, on the next copy of the weights. The cookie is the bench_case. */
void bench_case_run(void *cookie);

/* The loop that bounds it: dots for linear_q8 where the features have them, else sums of floats. */
bench_entry bench_case_ceiling(const bench_case *self, uint64_t features, double *operations);
double bench_case_flops(const bench_case *self);
/* Of the operands, each once. */
double bench_case_bytes(const bench_case *self);

#endif
