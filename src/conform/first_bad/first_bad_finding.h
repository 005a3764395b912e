/* What the search for the first bad op has found. */
#ifndef CONFORM_FIRST_BAD_FINDING_H
#define CONFORM_FIRST_BAD_FINDING_H

#include <stdbool.h>

#include <inferno/ops.h>

enum { FIRST_BAD_PATH_BYTES = 512 };

typedef enum first_bad_kind {
    FIRST_BAD_NONE,  /* every op keeps its contract, and every point of the graph is near truth */
    FIRST_BAD_OP,    /* an op breaks its contract */
    FIRST_BAD_STATE, /* every op does, but one's inputs are not what another has written: memory
                      * that was nobody's to write has changed in between */
    FIRST_BAD_GRAPH  /* every op keeps its contract, and still a point is far from truth: the error
                      * is in how ops are put together (order, positions, weights), or the op that
                      * makes this point is off by less than its proven bound */
} first_bad_kind;

/* What was found; nothing in it has to be freed. */
typedef struct first_bad_finding {
    first_bad_kind kind;
    char backend[128]; /* its expression */

    /* How much was looked at. */
    int64_t n_calls;           /* of ops, in the run that decided */
    int64_t n_unjudged;        /* calls that the oracle has no case for */
    int64_t n_judged, n_total; /* elements that were compared, and that were written */
    double largest_ratio;      /* |got - want| / bound of all that were accepted */

    /* OP, STATE, GRAPH: where. */
    int64_t layer;    /* -1 outside the blocks */
    char point[24];   /* "up", as conform_truth_sink names it */
    int64_t position; /* of the sequence, of the worst element */

    /* OP, STATE: the call. GRAPH: the one that made the point. */
    ifn_op op;
    ifn_status status; /* OP, STATE: what the call returned */
    char weight[64];   /* "blk.2.ffn_up.weight", or "" */
    char shapes[160];  /* "x [7,1024] Q8_32F, w_0 [3072,1024] Q4_K, out_0 [7,3072]" */
    int64_t call;      /* 0, 1, ... of the run */
    int64_t pass;      /* through the graph; -1: while the weights were made */
    int64_t first_pos, n_pos;

    /* OP: the worst element. GRAPH: got, want, and the noise as bound. */
    char tensor[24];
    int64_t row, col;
    double got, want, bound, ratio;
    int64_t ulp;               /* -1: no f32 */
    int64_t n_wrong, n_looked; /* elements of the tensor: wrong, and judged */
    char pattern[200];         /* where they lie */

    /* OP: the same call on the scalar backend. */
    int scalar_is_fine; /* -1: not tried */
    double scalar_ratio;

    /* OP: the file. */
    char yaml[FIRST_BAD_PATH_BYTES]; /* its path, or "": there is none */
    char no_yaml[256];               /* why there is none, though one was wanted; or "" */
    char case_id[192];               /* CONFORM_ID_BYTES */
    int64_t yaml_bytes;
    bool is_repeated; /* the call alone fails on the backend and passes on scalar; not: alone it
                       * passes, and the failure depends on what came before it */
} first_bad_finding;

#endif
