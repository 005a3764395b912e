/* Looking into a failure: does it recur, does it depend on the data. It only describes; nothing is
 * ever retried into green. */
#ifndef CONFORM_DESCRIBE_H
#define CONFORM_DESCRIBE_H

#include "run_report.h"
#include "runner.h"

enum { DESCRIBE_REPEATS = 100, DESCRIBE_SEEDS = 16 };

/* Seconds that all of it may take: a large case is repeated less often. */
#define DESCRIBE_SECONDS 1.0

/* Says in f->nature how many runs were made and how many of them failed: one of each kind at least,
 * and no other is begun when half of the seconds have passed. */
IFN_NODISCARD ifn_status conform_describe(conform_runner *runner, conform_failure *f,
                                          double seconds, ifn_error *err);

#endif
