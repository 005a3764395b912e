/* The smallest case that still fails. */
#ifndef CONFORM_SHRINK_H
#define CONFORM_SHRINK_H

#include "run_report.h"
#include "runner.h"

/* Seconds that a search may take while somebody waits for it. */
#define SHRINK_SECONDS 2.0

/*
 * Fills in f->shrunk: shape first, then raw, disjoint and simpler inputs, then addresses and cuts.
 * Where the inputs can be written down f->written and f->values as well: the same with each value
 * as simple as it may be. Both fail in the way the case does. No case is begun when the seconds
 * have passed, or when a quarter of them has for f->when.
 */
IFN_NODISCARD ifn_status conform_shrink(conform_runner *runner, conform_failure *f, double seconds,
                                        ifn_error *err);

#endif
