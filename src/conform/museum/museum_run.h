/* One fault of the museum, judged by the cases of its op until one notices it. */
#ifndef CONFORM_MUSEUM_RUN_H
#define CONFORM_MUSEUM_RUN_H

#include "museum_report.h"
#include "runner.h"

/* The cases, the cheapest first, but no kind of them (tier, family, dtype, ...) after another; the
 * caller frees them. */
IFN_NODISCARD ifn_status conform_museum_order(const conform_case *cases, int64_t n,
                                              conform_case **out, ifn_error *err);

/*
 * Runs cases, in their order, on a runner with the fault as its only backend under test. Stops when so many
 * judging detectors have noticed (1 or more; DETECTOR_COUNT: never); one that has looks no longer.
 * Fills in n_cases, seconds and kills.
 */
IFN_NODISCARD ifn_status conform_museum_try(conform_runner *runner, const conform_case *cases,
                                            int64_t n, int n_detectors, conform_museum_row *row,
                                            ifn_error *err);

#endif
