/* Finds where a model becomes wrong although every op keeps its contract. */
#ifndef CONFORM_FIND_DRIFT_H
#define CONFORM_FIND_DRIFT_H

#include "first_bad_finding.h"
#include "run_mode.h"

/* Finds the first point of the graph that is far from truth. Makes the finding FIRST_BAD_GRAPH, or leaves it
 * FIRST_BAD_NONE. To be called if no op is bad. */
IFN_NODISCARD ifn_status conform_find_drift(const ifn_model *model, ifn_backend *backend,
                                            const first_bad_mode *mode, const ifn_token *ids,
                                            int64_t n, first_bad_finding *out, ifn_error *err);

#endif
