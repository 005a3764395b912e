/* Runs the cases of an op on one fault of the museum until enough detectors notice it. */
#ifndef CONFORM_MUSEUM_RUN_H
#define CONFORM_MUSEUM_RUN_H

#include "museum_report.h"
#include "runner.h"

/* Orders the cases: cheap ones first, and kinds (tier, family, dtype, ...) interleaved, not one after the other. The
 * caller frees *out. */
IFN_NODISCARD ifn_status conform_museum_order(const conform_case *cases, int64_t n,
                                              conform_case **out, ifn_error *err);

/*
 * Runs cases in order on a runner whose only backend under test is the fault. Stops when n_detectors judging
 * detectors have noticed it (1 or more; DETECTOR_COUNT: never); a detector that has noticed it is muted. Fills in
 * n_cases, seconds and kills.
 */
IFN_NODISCARD ifn_status conform_museum_try(conform_runner *runner, const conform_case *cases,
                                            int64_t n, int n_detectors, conform_museum_row *row,
                                            ifn_error *err);

#endif
