/* The rows of one model on one backend, where the process that runs them and the one that reports
 * can both see them. */
#ifndef CONFORM_E2E_RESULTS_H
#define CONFORM_E2E_RESULTS_H

#include "e2e_engine.h"
#include "e2e_statistics.h"

enum { E2E_MAX_ROWS = 24, E2E_MAX_CHUNKS = 16 };

/* What is needed to do a run again. */
typedef struct e2e_again {
    e2e_way way;
    int64_t n_chunks, chunks[E2E_MAX_CHUNKS]; /* of e2e_chunks; none: whole */
    int32_t n_threads;                        /* 0: as many as the backend likes */
} e2e_again;

typedef struct e2e_results {
    int32_t tested;
    char model[E2E_NAME_BYTES];
    int32_t n;
    int32_t at; /* the row of the run at hand; -1: none */
    char where[E2E_NAME_BYTES];
    e2e_again now;    /* the run at hand */
    int32_t failed;   /* the row of the first run that failed, plus 1; 0: none has */
    e2e_again again;  /* that run */
    char text[4096];  /* what was found after it (first_bad.h) */
    int32_t has_file; /* and the call was written into a file */
    e2e_statistics all_statistics[E2E_MAX_ROWS];
} e2e_results;

/* In memory that child processes share; NULL: there is none. */
e2e_results *e2e_results_open(int tested, const char *model);
void e2e_results_close(e2e_results *self); /* NULL is fine */

/* The row of a way, a new one if need be; NULL: too many. */
e2e_statistics *e2e_results_row(e2e_results *self, const e2e_way *way);

/* A run begins and ends: e2e_statistics, and what is at hand should the process die. */
void e2e_results_begin(e2e_results *self, e2e_statistics *statistics, const char *where);
void e2e_results_end(e2e_results *self, e2e_statistics *statistics);

/* Runs of one process: `work` with its cookie, in a child unless in_process. A child that dies or
 * has had more than `seconds` (run_clock.h) fails the row at hand, or a row of its own. */
void e2e_results_guard(e2e_results *self, int in_process, unsigned seconds,
                       void (*work)(void *cookie, e2e_results *results), void *cookie);

#endif
