/* Processes that share one piece of work, `--jobs` of them, and how each has ended. */
#ifndef CONFORM_JOBS_H
#define CONFORM_JOBS_H

#include <sys/types.h>

#include <inferno/status.h>

#include "case_pool.h"

enum { CONFORM_MAX_JOBS = 64 };

typedef struct conform_job {
    pid_t pid; /* 0: it was not started, or has ended and been waited for */
    ifn_status status;
    ifn_error error;
} conform_job;

typedef struct conform_jobs {
    int n;
    conform_job *all; /* in shared memory */
} conform_jobs;

/* What one of them does; what it returns is what its parent gets of it. */
typedef ifn_status (*conform_job_fn)(void *cookie, int index, ifn_error *err);

/* As many as there are processors to be used, where `wanted` is 0. */
int conform_jobs_number(int64_t wanted);

/* Room for `n` in a shared pool. */
void conform_jobs_open(conform_jobs *self, conform_pool *shared, int n);

IFN_NODISCARD ifn_status conform_jobs_start(conform_jobs *self, conform_job_fn work, void *cookie,
                                            ifn_error *err);
/* What those have returned that have ended since the last time; the first error. */
IFN_NODISCARD ifn_status conform_jobs_look(conform_jobs *self, ifn_error *err);
/* The same of all that are left, when they have ended. */
IFN_NODISCARD ifn_status conform_jobs_wait(conform_jobs *self, ifn_error *err);
/* 1 if one has not ended. */
int conform_jobs_are_left(const conform_jobs *self);
/* Ends those that are left. */
void conform_jobs_kill(conform_jobs *self);

/* For a thousandth of a second. */
void conform_jobs_nap(void);

#endif
