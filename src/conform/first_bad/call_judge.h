/*
 * Judges what a call has written by the oracle and the bound of its op: a proven bound on its
 * actual inputs (T1), under the declarations of the backend that runs the op.
 */
#ifndef CONFORM_CALL_JUDGE_H
#define CONFORM_CALL_JUDGE_H

#include <stdbool.h>

#include "call_slice.h"
#include "case_pool.h"
#include "compare.h"

typedef struct call_judge {
    ifn_backend *backend; /* whose calls these are */
    ifn_backend *scalar;
    int64_t sample; /* features of a large product that are judged; 0: all */
    conform_pool pool;
} call_judge;

/* What is wrong with a call, or that nothing is. */
typedef struct call_finding {
    int64_t n_judged, n_total; /* elements */
    double largest_ratio;      /* of the accepted ones */
    bool is_bad;
    call_view view;        /* is_bad: of the call, and where in it: */
    int tensor;            /* of its layout */
    int64_t unit, feature; /* -1: the tensor does not go along them */
    int64_t row, col;      /* as the engine has the tensor */
    conform_result worst;
    int64_t n_wrong, n_looked; /* of that tensor: all of it, unless it is very large */
    char pattern[200];
    int scalar_is_fine;  /* on the same inputs; -1: it refuses them */
    double scalar_ratio; /* worst error / bound, strict */
} call_finding;

/**
 * After the call; `keep` is what was there before. `why` is set where the call, or a view of it,
 * has no case, else NULL. Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_call_judge(call_judge *self, ifn_op op, const ifn_call *args,
                                            const call_keep *keep, call_finding *out,
                                            const char **why, ifn_error *err);

/* The truth of a slice under the declarations of the backend. */
void conform_slice_truth(call_slice *s, ifn_backend *backend, conform_pool *pool,
                         conform_truth *out);

#endif
