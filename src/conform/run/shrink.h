/* Shrinks a failure to the smallest case that still fails. */
#ifndef CONFORM_SHRINK_H
#define CONFORM_SHRINK_H

#include "run_report.h"
#include "runner.h"

/* Seconds that a search may take while a user waits for it. */
#define SHRINK_SECONDS 2.0

/*
 * Fills in f->shrunk: first a smaller shape, then raw weights, no overlap and simpler inputs, then addresses and cuts.
 * If the inputs can be written down, also f->written and f->values: the same with each value as simple as possible.
 * Both fail in the same way as the case. No case is begun after `seconds`, or for f->when after a quarter of them.
 */
IFN_NODISCARD ifn_status conform_shrink(conform_runner *runner, conform_failure *f, double seconds,
                                        ifn_error *err);

#endif
