/* Processes that share one piece of work, as many as `--jobs` says, and how each has ended. */
#ifndef CONFORM_JOBS_H
#define CONFORM_JOBS_H

#include <sys/types.h>

#include <inferno/status.h>

#include "case_pool.h"

enum { CONFORM_MAX_JOBS = 64 };

typedef struct conform_job {
    pid_t pid; /* 0: not started, or ended and waited for */
    ifn_status status;
    ifn_error error;
} conform_job;

typedef struct conform_jobs {
    int n;
    conform_job *all; /* in shared memory */
} conform_jobs;

/* The work of one process; its parent gets the status and error that it returns. */
typedef ifn_status (*conform_job_fn)(void *cookie, int index, ifn_error *err);

/* The number of jobs; if `wanted` is 0, the number of usable processors. */
int conform_jobs_number(int64_t wanted);

/* Takes memory for `n` jobs from a shared pool. */
void conform_jobs_open(conform_jobs *self, conform_pool *shared, int n);

IFN_NODISCARD ifn_status conform_jobs_start(conform_jobs *self, conform_job_fn work, void *cookie,
                                            ifn_error *err);
/* Collects jobs that have ended since the last look; returns the first error among theirs. */
IFN_NODISCARD ifn_status conform_jobs_look(conform_jobs *self, ifn_error *err);
/* Waits for all that are left; returns the first error among theirs. */
IFN_NODISCARD ifn_status conform_jobs_wait(conform_jobs *self, ifn_error *err);
/* 1 if a job has not ended yet. */
int conform_jobs_are_left(const conform_jobs *self);
/* Kills the jobs that are left. */
void conform_jobs_kill(conform_jobs *self);

/* Sleeps for a millisecond. */
void conform_jobs_nap(void);

#endif
