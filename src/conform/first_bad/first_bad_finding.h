/* The result of the search for the first bad op. */
#ifndef CONFORM_FIRST_BAD_FINDING_H
#define CONFORM_FIRST_BAD_FINDING_H

#include <stdbool.h>

#include <inferno/ops.h>

enum { FIRST_BAD_PATH_BYTES = 512 };

typedef enum first_bad_kind {
    FIRST_BAD_NONE,  /* every op keeps its contract, and every point of the graph is near truth */
    FIRST_BAD_OP,    /* an op breaks its contract */
    FIRST_BAD_STATE, /* no op breaks its contract, but an input has changed since another call wrote
                      * it: somebody wrote to memory that it must not write */
    FIRST_BAD_GRAPH  /* no op breaks its contract, but a point is far from truth: the graph combines
                      * ops wrongly (order, positions, weights), or the op that computes this point
                      * has an error below its proven bound */
} first_bad_kind;

/* Owns no memory. */
typedef struct first_bad_finding {
    first_bad_kind kind;
    char backend[128]; /* the expression of the backend */

    /* How much was looked at. */
    int64_t n_calls;           /* calls of ops in the last run */
    int64_t n_unjudged;        /* calls that the oracle has no case for */
    int64_t n_judged, n_total; /* elements that were compared; elements that were written */
    double largest_ratio;      /* the largest |got - want| / bound of accepted elements */

    /* OP, STATE, GRAPH: where. */
    int64_t layer;    /* -1 outside the blocks */
    char point[24];   /* "up", as conform_truth_sink names it */
    int64_t position; /* of the worst element in the sequence */

    /* OP, STATE: the call. GRAPH: the call that made the point. */
    ifn_op op;
    ifn_status status; /* OP, STATE: what the call returned */
    char weight[64];   /* "blk.2.ffn_up.weight", or "" */
    char shapes[160];  /* "x [7,1024] Q8_32F, w_0 [3072,1024] Q4_K, out_0 [7,3072]" */
    int64_t call;      /* 0, 1, ... of the run */
    int64_t pass;      /* number of the pass through the graph; -1: while weights were prepared */
    int64_t first_pos, n_pos;

    /* OP: the worst element. GRAPH: the worst element, with the noise as bound. */
    char tensor[24];
    int64_t row, col;
    double got, want, bound, ratio;
    int64_t ulp;               /* -1: not an f32 */
    int64_t n_wrong, n_looked; /* elements of the tensor that are wrong; that were judged */
    char pattern[200];         /* where the wrong ones lie */

    /* OP: the same call on the scalar backend. */
    int scalar_is_fine; /* -1: not tried */
    double scalar_ratio;

    /* OP: the file. */
    char yaml[FIRST_BAD_PATH_BYTES]; /* its path, or "": there is none */
    char no_yaml[256];               /* why there is none, though one was wanted; or "" */
    char case_id[192];               /* CONFORM_ID_BYTES */
    int64_t yaml_bytes;
    bool is_repeated; /* the call alone fails on the backend and passes on scalar; false: alone it
                       * passes, so the failure depends on earlier calls */
} first_bad_finding;

#endif
