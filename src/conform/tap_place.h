/*
 * What a call is for. Tensors of the model are known by their data, which ops get beside any handle
 * of the backend's own; what lies between them follows from the order of the two graphs.
 */
#ifndef CONFORM_TAP_PLACE_H
#define CONFORM_TAP_PLACE_H

#include "tap.h"

/* In the order in which a layer has them. X(NAME, name of conform_truth_sink) */
/* clang-format off */
#define TAP_POINTS(X)                                                                         \
    X(EMBEDDING, "embedding")                                                                 \
    X(ATTN_NORM, "attn_norm")                                                                 \
    X(Q, "q") X(K, "k") X(V, "v")                                                             \
    X(Q_NORM, "q_norm") X(K_NORM, "k_norm")                                                   \
    X(Q_ROPE, "q_rope") X(K_ROPE, "k_rope")                                                   \
    X(K_STORED, "k_stored") X(V_STORED, "v_stored")                                           \
    X(ATTENDED, "attended")                                                                   \
    X(ATTN_OUTPUT, "attn_output")                                                             \
    X(ATTN_RESIDUAL, "attn_residual")                                                         \
    X(FFN_NORM, "ffn_norm")                                                                   \
    X(GATE, "gate") X(UP, "up")                                                               \
    X(GATED, "gated")                                                                         \
    X(FFN_DOWN, "ffn_down")                                                                   \
    X(FFN_RESIDUAL, "ffn_residual")                                                           \
    X(OUTPUT_NORM, "output_norm")                                                             \
    X(LOGITS, "logits")
/* clang-format on */

typedef enum tap_point {
#define X(NAME, name) POINT_##NAME,
    TAP_POINTS(X)
#undef X
        POINT_COUNT
} tap_point;

/* The f32 copy of a weight that the primitive graph's matmul reads. */
typedef struct tap_copy {
    const void *data;
    const ifn_tensor *weight;
} tap_copy;

typedef struct tap_place {
    const ifn_model *model;
    const ifn_hparams *h;
    int64_t layer; /* where the graph is */
    tap_point point;
    int64_t n_factors; /* hadamards since the norm at hand began */
    int64_t pass, pass_pos, pass_rows, next_pos;
    int64_t logits_row; /* primitive graph: the row of the pass whose logits are made */
    tap_copy decoded;   /* the last one, not yet transposed */
    tap_copy *copies;   /* owned */
    size_t n_copies, room;
} tap_place;

void conform_tap_place_open(tap_place *self, const ifn_model *model);
void conform_tap_place_close(tap_place *self);

/* Fills in everything behind `number`. To be asked once for each call, in their order. */
void conform_tap_place(tap_place *self, tap_call *call);

#endif
