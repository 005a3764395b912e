/* Sums the steps of runs into a row of the report. */
#ifndef CONFORM_E2E_STATISTICS_H
#define CONFORM_E2E_STATISTICS_H

#include <stdbool.h>

#include <inferno/export.h>

#include "e2e_codes.h"
#include "e2e_judge.h"
#include "e2e_row.h"

/* Histogram of KL on a logarithmic scale: sixteen bins for each power of two from 2^-96 on. */
enum { E2E_KL_BINS = 16 * 128, E2E_KL_LOWEST = -96 };

typedef struct e2e_statistics {
    e2e_row row;
    double kl_sum;
    uint32_t kl_bins[E2E_KL_BINS];
    int64_t steps_before; /* of earlier runs */
    bool is_failed;       /* the current run has failed */
} e2e_statistics;

/* Begin and end a run, which is one prompt in one chunking. A run with a failure, or without a step, counts as
 * failed. */
void e2e_statistics_begin(e2e_statistics *self);
void e2e_statistics_end(e2e_statistics *self, const char *where);

/* `where` says which run: "text, chunks 1". The step is at `position` of the sequence. */
void e2e_statistics_step(e2e_statistics *self, const e2e_step *step, int64_t position,
                         const char *where);

/* Fails the current run. The row keeps the text of its first failure. */
void e2e_statistics_fail(e2e_statistics *self, e2e_check check, const char *format, ...)
    IFN_PRINTF(3, 4);

/* Judges the rows that a run has forced (numerics 11.2): each was within `most_steps` of the truth's. is_forced:
 * fails a run in which no row was replaced. */
void e2e_statistics_codes(e2e_statistics *self, const e2e_forced *forced, double most_steps,
                          bool is_forced, const char *where);

/* Notes in a row without a failure what was left out, and why. */
void e2e_statistics_note(e2e_statistics *self, const char *format, ...) IFN_PRINTF(2, 3);

/* Counts two runs that were compared bit for bit; fails if they had to be equal and are not. */
void e2e_statistics_relation(e2e_statistics *self, bool is_equal, bool is_demanded,
                             const char *where);

#endif
