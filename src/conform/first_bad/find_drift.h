/* Where every op keeps its contract and the model is wrong. */
#ifndef CONFORM_FIND_DRIFT_H
#define CONFORM_FIND_DRIFT_H

#include "first_bad_finding.h"
#include "run_mode.h"

/* The first point of the graph that is far from truth, where no op is to blame: fills in a finding
 * of kind GRAPH, or leaves it NONE. */
IFN_NODISCARD ifn_status conform_find_drift(const ifn_model *model, ifn_backend *backend,
                                            const first_bad_mode *mode, const ifn_token *ids,
                                            int64_t n, first_bad_finding *out, ifn_error *err);

#endif
