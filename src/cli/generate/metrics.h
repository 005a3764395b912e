/* How fast a generation was. */
#ifndef IFN_CLI_METRICS_H
#define IFN_CLI_METRICS_H

#include <stdint.h>
#include <stdio.h>

#include "json_writer.h"

/*
 * One forward is the evaluation of what is new in the sequence and the choice of an id; the first
 * is the prompt's. All zero is nothing measured.
 */
typedef struct metrics {
    int64_t n;
    uint64_t first_ns, sum_ns, min_ns, max_ns;
} metrics;

void metrics_add(metrics *self, uint64_t forward_ns);

/* From the start of the first forward until the first id was chosen. */
double metrics_first_ms(const metrics *self);
/* Ids after the first, per second; 0 where there are none. */
double metrics_decode_rate(const metrics *self);
double metrics_mean_ms(const metrics *self);

/* The four lines from "metrics:" on. */
void metrics_print(const metrics *self, FILE *out);
/* The members of an object that the caller has begun. */
void metrics_json(const metrics *self, json_writer *out);

#endif
