/*
 * A backend that hands every call on as it came and has two hooks look at it, together with what
 * the call is for: the layer and the point of the graph that conform_truth_sink names. It has no
 * arithmetic, scratch, declarations or handles of its own, so what is inside runs as it does alone.
 */
#ifndef CONFORM_TAP_H
#define CONFORM_TAP_H

#include <stdbool.h>

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

/* Either may be NULL. */
typedef struct tap_hooks {
    void *cookie;
    void (*before)(void *cookie, const tap_call *call);
    /* What it returns is what the call returns; outputs may be written to. */
    ifn_status (*after)(void *cookie, const tap_call *call, ifn_status status);
    /* While it is true calls are shown and not made: what they write, the hooks write. */
    const bool *is_mute;
} tap_hooks;

/**
 * Opens a tap around `inner`, which it borrows, as it does the model. To be closed by
 * ifn_backend_close before either. Its contexts run one at a time.
 *
 * model  whose graphs will be run on it: whose tensors calls read
 * Errors  IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status conform_tap_open(ifn_backend *inner, const ifn_model *model,
                                          const tap_hooks *hooks, ifn_backend **out,
                                          ifn_error *err);

/* The next pass begins at this position, later ones behind it: before every eval that does not
 * simply go on (a new context, a rewind, any eval without a cache, which begins at 0). */
void conform_tap_seek(ifn_backend *tap, int64_t position);

#endif
