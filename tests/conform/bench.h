/* Helpers that run matmul cases on one backend under test. */
#ifndef CONFORM_BENCH_H
#define CONFORM_BENCH_H

#include "run_report.h"
#include "runner.h"
#include "tested.h"

/* Seconds: a time limit that is never reached. */
enum { BENCH_ENOUGH = 600 };

/* Opens a runner in a worker process or, with `in_process`, in this one. A call that takes longer than `patience`
 * seconds counts as hung. */
void bench_open(conform_runner *r, const conform_tested *tested, int in_process, double patience);

conform_case bench_case(int64_t m, int64_t n, int64_t p);

/* A failure as the report keeps it, from a case that must fail on the runner's first backend under test. */
conform_failure bench_failure(conform_runner *r, const conform_case *c);

/* The same, shrunk by a search without a time limit; the caller frees its `values`. */
conform_failure bench_shrunk(conform_runner *r, const conform_case *c);

/* The failure of a case, run in a worker of its own. */
conform_failure bench_failure_of(const conform_tested *tested, conform_case c, double patience);
/* Expects the case to fail by `check`, with a text that contains `said`. */
void bench_expect(const conform_tested *tested, conform_case c, conform_check check,
                  const char *said);

/* A report of two backends with a failure that is all ones and quotes; the caller closes it. */
conform_report bench_measurement(void);

#endif
