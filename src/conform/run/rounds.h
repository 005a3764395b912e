/*
 * Rounds: one seed after another until the time is over (`--for`). A report names the seeds that were run, so that
 * another run can continue (`--resume`).
 */
#ifndef CONFORM_ROUNDS_H
#define CONFORM_ROUNDS_H

#include <stdbool.h>

#include "run_report.h"

typedef struct conform_rounds {
    const conform_report *report;
    double seconds;            /* 0: one round */
    double begun;              /* start time, by seconds_now */
    int64_t n_cases, n_rounds; /* cases and whole rounds of the report that is resumed */
} conform_rounds;

/* Begins. From here to conform_rounds_finish, a signal that would end the program is held. */
void conform_rounds_start(conform_rounds *self, const conform_report *report, double seconds);
void conform_rounds_finish(const conform_rounds *self);

/* True if the time is over and a round is done, or if a held signal waits. */
bool conform_rounds_are_over(const conform_rounds *self);

/* "round 3, 5120 cases/s, 7 h 12 m left" */
void conform_rounds_say(const conform_rounds *self, char *out, size_t bytes);

/*
 * Adds the file's counts to a report of the same backends, profile and shard, and sets *seed to the next seed.
 */
IFN_NODISCARD ifn_status conform_rounds_resume(conform_report *report, const char *path,
                                               uint64_t *seed, ifn_error *err);

#endif
