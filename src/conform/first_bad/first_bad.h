/*
 * The first op of a model's run that breaks its own contract on its own actual inputs (numerics
 * 11.5): not the first difference, which an earlier fault may have caused.
 *
 * The model runs on the backend under teacher forcing. Each call's inputs are kept, its outputs
 * judged by the op's own oracle and bound, as in a case of the conformance run. Large products are
 * judged in a sample of their features (and where the backend is farthest from scalar); if nothing
 * is found, a second run judges all of them.
 */
#ifndef CONFORM_FIRST_BAD_H
#define CONFORM_FIRST_BAD_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/context.h>

enum { FIRST_BAD_PATH_BYTES = 512 };

/* How the model is run. All zero: fused graph, activations as in a context, no cache, one pass. */
typedef struct first_bad_mode {
    ifn_graph graph;
    ifn_activations activations;
    ifn_kv kv;
    bool last_logits; /* of the last position of each eval alone, as in a generation */
    int64_t max_rows; /* tokens in one pass; 0: 64 at most, with last_logits as a context does */
    const int64_t *chunks; /* [n_chunks] tokens of each eval, all ids together; NULL: one eval */
    int64_t n_chunks;
} first_bad_mode;

/* All zero is sensible. */
typedef struct first_bad_options {
    int64_t sample;   /* features of each weight in the first run; 0: 64 */
    int is_quick;     /* 1: no second run over all of them */
    int is_ops_only;  /* 1: no search for a point of the graph where no op is bad */
    const char *yaml; /* where the failing call is written as a file of cases; NULL: nowhere */
} first_bad_options;

typedef enum first_bad_kind {
    FIRST_BAD_NONE,  /* every op keeps its contract, and every point of the graph is near truth */
    FIRST_BAD_OP,    /* an op breaks its contract */
    FIRST_BAD_STATE, /* every op does, but one's inputs are not what another has written: memory
                      * that was nobody's to write has changed in between */
    FIRST_BAD_GRAPH  /* every op keeps its contract, and still a point is far from truth: the fault
                      * is in how ops are put together (order, positions, weights), or the op that
                      * makes this point is off by less than its proven bound */
} first_bad_kind;

/* What was found; nothing in it has to be freed. */
typedef struct first_bad_report {
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
    int is_repeated; /* 1: the call alone fails on the backend and passes on scalar; 0: alone it
                      * passes: the fault depends on what came before it; -1: no file */
} first_bad_report;

/**
 * Finds it. `backend` is borrowed, as the model is; it is run with weights and contexts of its own.
 *
 * ids [n]   n >= 1
 * Errors  those of opening weights and contexts; a call that fails is no error but a finding, and
 *         a file that cannot be written (no_yaml) takes nothing from the finding
 */
IFN_NODISCARD ifn_status conform_first_bad(const ifn_model *model, ifn_backend *backend,
                                           const first_bad_mode *mode, const ifn_token *ids,
                                           int64_t n, const first_bad_options *options,
                                           first_bad_report *out, ifn_error *err);

/* One block of text. */
void conform_first_bad_put(const first_bad_report *report, FILE *out);

#endif
