/*
 * Codes of the truth: every row that a mode stores in fewer bits (Q8 activations, rows of the cache), quantized from
 * the f64 pass. In a run with forced codes they replace the rows that the backend has quantized itself (numerics 11.2).
 */
#ifndef CONFORM_E2E_CODES_H
#define CONFORM_E2E_CODES_H

#include <stdbool.h>

#include "forward_f64.h"
#include "tap.h"

/* The rows of one point of one layer, for all positions. */
typedef struct e2e_coded {
    const char *point; /* of conform_truth_sink: "gated_q8", "k_stored". Static */
    int64_t layer;
    ifn_dtype dtype;
    int64_t cols;
    void *rows; /* [n, cols] of dtype; owned */
} e2e_coded;

typedef struct e2e_codes {
    const conform_truth_mode *mode;
    bool is_q8;
    bool with_f32_cache; /* rows of an f32 cache are kept as well, rounded to f32 */
    int64_t n_positions;
    int64_t n, room;
    e2e_coded *coded; /* owned */
    float *row;       /* scratch of one row; owned */
    int64_t row_room;
    int failed; /* out of memory, or a row that cannot be coded */
} e2e_codes;

/* The sink of these codes receives what conform_forward_f64 computes in `mode` (no jolt) and encodes the rows that the
 * mode narrows. */
void e2e_codes_open(e2e_codes *self, const ifn_model *model, const conform_truth_mode *mode,
                    int64_t n_positions);
conform_truth_sink e2e_codes_sink(e2e_codes *self);
void e2e_codes_close(e2e_codes *self);

/* Returns the rows of a point; NULL: the mode narrows nothing there. */
const e2e_coded *e2e_codes_find(const e2e_codes *self, const char *point, int64_t layer);

/* State of e2e_force, an `after` hook of a tap that replaces narrowed rows by the truth's. It fails the call with
 * IFN_ERR_SHAPE if a narrowed output has no codes of its dtype and shape. */
typedef struct e2e_forced {
    const e2e_codes *codes; /* NULL: nothing is forced */
    int64_t n_replaced;     /* rows so far */
    /* The largest |decoded - truth's| so far, in quantization steps. Rounding explains half a step on either side;
     * another half step is allowed for noise on the quantizer's input, far more than f32 arithmetic makes. Above the
     * limit of e2e_truth the backend must have quantized a wrong row. A NaN stays. */
    double worst;
    /* The largest part of such a difference that rounding does not explain, in steps. */
    double moved;
    char where[64];  /* of `worst`: "layer 1, gated_q8, position 7" */
    bool is_filling; /* outputs were not computed, so there are no own rows to compare */
} e2e_forced;
ifn_status e2e_force(void *cookie, const tap_call *call, ifn_status status);

#endif
