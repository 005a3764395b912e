/* Steps into a row. */
#ifndef CONFORM_E2E_STATISTICS_H
#define CONFORM_E2E_STATISTICS_H

#include <stdbool.h>

#include <inferno/export.h>

#include "e2e_codes.h"
#include "e2e_judge.h"
#include "e2e_row.h"

/* KL by its logarithm: sixteen bins for each power of two from 2^-96 on. */
enum { E2E_KL_BINS = 16 * 128, E2E_KL_LOWEST = -96 };

typedef struct e2e_statistics {
    e2e_row row;
    double kl_sum;
    uint32_t kl_bins[E2E_KL_BINS];
    int64_t steps_before; /* of earlier runs */
    bool is_failed;       /* the run at hand */
} e2e_statistics;

/* A run is a prompt in one chunking: all its steps stand between these two. One without a step, or
 * with a failure, counts as failed. */
void e2e_statistics_begin(e2e_statistics *self);
void e2e_statistics_end(e2e_statistics *self, const char *where);

/* `where` says which run: "text, chunks 1". The step is at `position` of the sequence. */
void e2e_statistics_step(e2e_statistics *self, const e2e_step *step, int64_t position,
                         const char *where);

/* Any other failure of the run at hand; the first of a row is kept. */
void e2e_statistics_fail(e2e_statistics *self, e2e_check check, const char *format, ...)
    IFN_PRINTF(3, 4);

/* What was replaced in a run is judged on its own (numerics 11.2): within so many steps. */
void e2e_statistics_codes(e2e_statistics *self, const e2e_forced *forced, double most_steps,
                          bool is_forced, const char *where);

/* Said of a row without a failure: what was left out, and why. */
void e2e_statistics_note(e2e_statistics *self, const char *format, ...) IFN_PRINTF(2, 3);

/* Two runs that were compared bit for bit. */
void e2e_statistics_relation(e2e_statistics *self, bool is_equal, bool is_demanded,
                             const char *where);

#endif
