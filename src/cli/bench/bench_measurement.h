/* One measured product of `bench ops`, printed as a line of a table or as a JSON object. */
#ifndef IFN_CLI_BENCH_MEASUREMENT_H
#define IFN_CLI_BENCH_MEASUREMENT_H

#include "bench_call.h"
#include "json_writer.h"

/* The product out[m,p] = a[m,n] b[n,p]. */
typedef struct bench_shape {
    int64_t m, n, p;
} bench_shape;

typedef struct bench_measurement {
    const char *level;
    int n_threads;
    bench_shape shape;
    const bench_call *c;
    bench_time time;
    double peak, read; /* operations, and bytes read from memory, per second */
    double openblas, openblas_skylakex, onednn; /* seconds, or 0 */
    double against;                             /* seconds of another backend, or 0 */
} bench_measurement;

/* Prints the head of the table; against: the other backend's expression, or NULL. */
void bench_measurement_head(double read, const char *against);
void bench_measurement_print(const bench_measurement *m);
void bench_measurement_json(json_writer *json, const bench_measurement *m);

#endif
