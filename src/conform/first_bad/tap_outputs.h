/*
 * Finds which points of the graph a call has finished when it returns. The call itself states its layer and point, and
 * whether its output is that point; positions of the sequence are counted here.
 */
#ifndef CONFORM_TAP_OUTPUTS_H
#define CONFORM_TAP_OUTPUTS_H

#include <inferno/backend.h>
#include <inferno/model.h>

/* k_stored and v_stored are two outputs of one call, and so is each weight of a linear. */
enum { TAP_MAX_OUTPUTS = IFN_LINEAR_MAX };

/* A point of the graph that is finished once the call has returned. */
typedef struct tap_output {
    const char *point;        /* "ffn_up", "attended_q8": of conform_truth_sink. Static */
    int64_t layer;            /* -1 outside the blocks */
    const ifn_tensor *weight; /* tensor of the model that it was computed with; or NULL */
    void *data;               /* [n_pos, cols]; a KV cache: its beginning */
    ifn_dtype dtype;
    int64_t cols;   /* elements of one position */
    int64_t stride; /* elements (blocks of Q8_32F) from position to position; 0: a KV cache */
} tap_output;

typedef struct tap_call {
    ifn_op op;
    const ifn_call *args;
    int64_t number;           /* 0, 1, ... since the tap was opened */
    int64_t layer;            /* of the point the call contributes to; -1 outside the blocks */
    const char *stage;        /* that point, named as above, or "inputs", "weights",
                               * "readback", "sample", or "?": the call does not say. Static */
    const ifn_tensor *weight; /* the first tensor of the model that the call reads, or NULL */
    int64_t pass;             /* pass through the graph: 0, 1, ...; -1 before the first */
    int64_t first_pos, n_pos; /* positions of the sequence that the outputs belong to */
    int n_outputs;            /* 0 if the point needs further calls */
    tap_output outputs[TAP_MAX_OUTPUTS];
} tap_call;

typedef struct tap_pass {
    const ifn_model *model;
    const ifn_hparams *h;
    int64_t pass, pass_pos, pass_rows, next_pos;
    int64_t logits_row;        /* primitive graph: the row of the pass whose logits are made */
    const void *decoded;       /* primitive graph: the last f32 rows decoded from a weight, ... */
    const ifn_tensor *of_what; /* and that weight */
} tap_pass;

void conform_tap_pass_open(tap_pass *self, const ifn_model *model);

/* Fills in everything after `number`. Must be called once for each call, in order. */
void conform_tap_outputs(tap_pass *self, tap_call *call);

#endif
