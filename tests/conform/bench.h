/* A runner of matmul cases on one backend under test, for tests. */
#ifndef CONFORM_BENCH_H
#define CONFORM_BENCH_H

#include "run_report.h"
#include "runner.h"
#include "tested.h"

/* Seconds: more than anything takes that is told how long it may. */
enum { BENCH_ENOUGH = 600 };

/* Opens a runner in a worker process (or here); calls that take longer than `patience` hang. */
void bench_open(conform_runner *r, const conform_tested *tested, int in_process, double patience);

conform_case bench_case(int64_t m, int64_t n, int64_t p);

/* A failure as the report keeps it, from a case that must fail on the runner's first backend under test. */
conform_failure bench_failure(conform_runner *r, const conform_case *c);

/* The same made smaller, by a search that has all the time it wants; f->values are the caller's. */
conform_failure bench_shrunk(conform_runner *r, const conform_case *c);

/* The failure of a case in a worker of its own. */
conform_failure bench_failure_of(const conform_tested *tested, conform_case c, double patience);
/* It is of `check`, and its text has `said` in it. */
void bench_expect(const conform_tested *tested, conform_case c, conform_check check,
                  const char *said);

/* A report of two backends with a failure that is all ones and quotes; closed by the caller. */
conform_report bench_measurement(void);

#endif
