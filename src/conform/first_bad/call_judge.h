/*
 * Judges the outputs of a call by the oracle of its op: a proven bound for its actual inputs (T1), with the arithmetic
 * that the backend declares.
 */
#ifndef CONFORM_CALL_JUDGE_H
#define CONFORM_CALL_JUDGE_H

#include <stdbool.h>

#include "call_slice.h"
#include "case_pool.h"
#include "compare.h"

typedef struct call_judge {
    ifn_backend *backend; /* makes the calls */
    ifn_backend *scalar;
    int64_t sample; /* features of a large product that are judged; 0: all */
    conform_pool pool;
} call_judge;

/* The result of judging a call. */
typedef struct call_finding {
    int64_t n_judged, n_total; /* elements */
    double largest_ratio;      /* error / bound of accepted elements */
    bool is_bad;
    /* If is_bad, the worst element: */
    call_view view;
    int tensor;            /* index in view.l */
    int64_t unit, feature; /* -1: the tensor does not run along them */
    int64_t row, col;      /* in the engine's tensor */
    conform_result worst;
    int64_t n_wrong, n_looked; /* elements of that tensor; if it is very large, of a part of it */
    char pattern[200];
    int scalar_is_fine;  /* 1: scalar is right on the same inputs; -1: scalar refuses them */
    double scalar_ratio; /* scalar's worst error / bound, without declarations */
} call_finding;

/**
 * Judges a call after it has returned. `keep` has the inputs that the call overwrote. *why is the reason why the call,
 * or one of its views, has no case; NULL if all have one. Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_call_judge(call_judge *self, ifn_op op, const ifn_call *args,
                                            const call_keep *keep, call_finding *out,
                                            const char **why, ifn_error *err);

/* Computes the truth of a slice with the arithmetic that the backend declares. */
void conform_slice_truth(call_slice *s, ifn_backend *backend, conform_pool *pool,
                         conform_truth *out);

#endif
