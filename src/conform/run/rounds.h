/*
 * One seed after another until the time is over: `--for`. A report says which seeds have had their
 * turn, so that another run can go on from there: `--resume`.
 */
#ifndef CONFORM_ROUNDS_H
#define CONFORM_ROUNDS_H

#include <stdbool.h>

#include "run_report.h"

typedef struct conform_rounds {
    const conform_report *report;
    double seconds;            /* 0: one round */
    double begun;              /* when, by seconds_now */
    int64_t n_cases, n_rounds; /* cases and whole rounds that an earlier run has told of */
} conform_rounds;

/* From here on a signal that would end the program waits until conform_rounds_finish. */
void conform_rounds_start(conform_rounds *self, const conform_report *report, double seconds);
void conform_rounds_finish(const conform_rounds *self);

/* The time is over and a round is done, or a signal waits. */
bool conform_rounds_are_over(const conform_rounds *self);

/* "round 3, 5120 cases/s, 7 h 12 m left" */
void conform_rounds_say(const conform_rounds *self, char *out, size_t bytes);

/*
 * Adds what the file knows to a report of the same backends, profile and shard, and sets the seed
 * that comes next.
 */
IFN_NODISCARD ifn_status conform_rounds_resume(conform_report *report, const char *path,
                                               uint64_t *seed, ifn_error *err);

#endif
