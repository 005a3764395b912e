/* Describes a failure: whether it recurs, and whether it depends on the data. A retry that passes never hides a
 * failure. */
#ifndef CONFORM_DESCRIBE_H
#define CONFORM_DESCRIBE_H

#include "run_report.h"
#include "runner.h"

enum { DESCRIBE_REPEATS = 100, DESCRIBE_SEEDS = 16 };

/* Seconds that a description may take: a large case is repeated less often. */
#define DESCRIBE_SECONDS 1.0

/* Writes to f->nature how many runs were made and how many of them failed. It makes at least one repeat and one run
 * with another seed; each kind begins no run after half of the seconds. */
IFN_NODISCARD ifn_status conform_describe(conform_runner *runner, conform_failure *f,
                                          double seconds, ifn_error *err);

#endif
