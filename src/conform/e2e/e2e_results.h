/* The rows of one model on one backend, in memory shared by the child process that runs the model and the parent that
 * reports. */
#ifndef CONFORM_E2E_RESULTS_H
#define CONFORM_E2E_RESULTS_H

#include "e2e_engine.h"
#include "e2e_statistics.h"

enum { E2E_MAX_ROWS = 24, E2E_MAX_CHUNKS = 16 };

/* What is needed to repeat a run. */
typedef struct e2e_again {
    e2e_way way;
    int64_t n_chunks, chunks[E2E_MAX_CHUNKS]; /* sizes as in e2e_chunks; none: one chunk */
    int32_t n_threads;                        /* 0: the backend decides */
} e2e_again;

typedef struct e2e_results {
    int32_t tested;
    char model[E2E_NAME_BYTES];
    int32_t n;
    int32_t at; /* the row of the current run; -1: none */
    char where[E2E_NAME_BYTES];
    e2e_again now;    /* the current run */
    int32_t failed;   /* the row of the first run that failed, plus 1; 0: none has */
    e2e_again again;  /* that run */
    char text[4096];  /* what the search for its first bad op found (first_bad.h) */
    int32_t has_file; /* the search wrote the bad call to a file */
    e2e_statistics all_statistics[E2E_MAX_ROWS];
} e2e_results;

/* Allocates results in memory that child processes share; NULL: out of memory. */
e2e_results *e2e_results_open(int tested, const char *model);
void e2e_results_close(e2e_results *self); /* NULL is fine */

/* Returns the row of a way, a new one if there is none; NULL: there are E2E_MAX_ROWS others. */
e2e_statistics *e2e_results_row(e2e_results *self, const e2e_way *way);

/* Begin and end a run in its statistics, and note the current run in case the process dies. */
void e2e_results_begin(e2e_results *self, e2e_statistics *statistics, const char *where);
void e2e_results_end(e2e_results *self, e2e_statistics *statistics);

/* Calls work(cookie, self) in a child process, or in this one if in_process. If the child dies or takes more than
 * `seconds` (run_clock.h), the row of the current run fails; the row of the fused f32 way if no run was current. */
void e2e_results_guard(e2e_results *self, int in_process, unsigned seconds,
                       void (*work)(void *cookie, e2e_results *results), void *cookie);

#endif
