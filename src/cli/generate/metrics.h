/* The speed of a generation. */
#ifndef IFN_CLI_METRICS_H
#define IFN_CLI_METRICS_H

#include <stdint.h>
#include <stdio.h>

#include "json_writer.h"

/*
 * A forward is the evaluation of the new ids of a sequence and the choice of the next id; the first forward evaluates
 * the prompt. All zero: nothing was measured.
 */
typedef struct metrics {
    int64_t n;
    uint64_t first_ns, sum_ns, min_ns, max_ns;
} metrics;

void metrics_add(metrics *self, uint64_t forward_ns);

/* Returns the time from the start of the first forward until the first id was chosen. */
double metrics_first_ms(const metrics *self);
/* Returns the ids after the first, per second; 0 if there are none. */
double metrics_decode_rate(const metrics *self);
double metrics_mean_ms(const metrics *self);

/* Prints four lines that begin with "metrics:". */
void metrics_print(const metrics *self, FILE *out);
/* Writes members into an object that the caller has begun. */
void metrics_json(const metrics *self, json_writer *out);

#endif
