/*
 * What a call has finished once it returns: it says itself where in the forward pass it stands, and
 * whether what it writes is that point. Positions of the sequence are counted here.
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
    const ifn_tensor *weight; /* of the model, that it was made with; or NULL */
    void *data;               /* [n_pos, cols]; a KV cache: its beginning */
    ifn_dtype dtype;
    int64_t cols;   /* elements of one position */
    int64_t stride; /* elements (blocks of Q8_32F) from position to position; 0: a KV cache */
} tap_output;

typedef struct tap_call {
    ifn_op op;
    const ifn_call *args;
    int64_t number;           /* 0, 1, ... since the tap was opened */
    int64_t layer;            /* of what the call works towards; -1 outside the blocks */
    const char *stage;        /* what it works towards: a point as above, "inputs", "weights",
                               * "readback", "sample", or "?": the call does not say. Static */
    const ifn_tensor *weight; /* of the model: the first the call reads, or NULL */
    int64_t pass;             /* 0, 1, ...: through the graph; -1 before the first */
    int64_t first_pos, n_pos; /* positions of the sequence that the outputs are of */
    int n_outputs;            /* 0 where the point takes more calls */
    tap_output outputs[TAP_MAX_OUTPUTS];
} tap_call;

typedef struct tap_pass {
    const ifn_model *model;
    const ifn_hparams *h;
    int64_t pass, pass_pos, pass_rows, next_pos;
    int64_t logits_row;  /* primitive graph: the row of the pass whose logits are made */
    const void *decoded; /* primitive graph: f32 rows, made last of a weight, and of which */
    const ifn_tensor *of_what;
} tap_pass;

void conform_tap_pass_open(tap_pass *self, const ifn_model *model);

/* Fills in everything after `number`. To be asked once for each call, in their order. */
void conform_tap_outputs(tap_pass *self, tap_call *call);

#endif
