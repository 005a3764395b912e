/* Looking into a failure: does it recur, does it depend on the data. It only describes; nothing is
 * ever retried into green. */
#ifndef CONFORM_DESCRIBE_H
#define CONFORM_DESCRIBE_H

#include "run_report.h"
#include "runner.h"

enum { DESCRIBE_REPEATS = 100, DESCRIBE_SEEDS = 16 };

IFN_NODISCARD ifn_status conform_describe(conform_runner *runner, conform_failure *f,
                                          ifn_error *err);

#endif
