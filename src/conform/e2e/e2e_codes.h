/*
 * The truth's codes: every row that a mode narrows, as the f64 pass narrows it, and the run of a
 * backend in which they take the place of its own (numerics 11.2: forced codes).
 */
#ifndef CONFORM_E2E_CODES_H
#define CONFORM_E2E_CODES_H

#include <stdbool.h>

#include "forward_f64.h"
#include "tap.h"

/* Rows of one point of one layer, all positions. */
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
    bool with_f32_cache; /* the rows of an f32 cache are taken as well, rounded */
    int64_t n_positions;
    int64_t n, room;
    e2e_coded *coded; /* owned */
    float *row;       /* scratch of one row; owned */
    int64_t row_room;
    int failed; /* out of memory, or a row that cannot be coded */
} e2e_codes;

/* Hears what conform_forward_f64 computes in `mode` (no jolt) and codes what it will narrow. */
void e2e_codes_open(e2e_codes *self, const ifn_model *model, const conform_truth_mode *mode,
                    int64_t n_positions);
conform_truth_sink e2e_codes_sink(e2e_codes *self);
void e2e_codes_close(e2e_codes *self);

/* NULL: nothing is narrowed there. */
const e2e_coded *e2e_codes_find(const e2e_codes *self, const char *point, int64_t layer);

/* An `after` hook of a tap: cookie is an e2e_forced. Fails the call if codes are lacking. */
typedef struct e2e_forced {
    const e2e_codes *codes; /* NULL: nothing is forced */
    int64_t n_replaced;     /* rows so far */
    /* The largest |decoded - truth's| so far, in steps. Either has rounded by half a step, and half a
     * step is for noise on the quantizer's input, which f32 arithmetic is far from. NaN stays. Beyond
     * what e2e_truth allows the row cannot have come from the right one. */
    double worst;
    /* What of it is left for the noise, where it is most. */
    double moved;
    char where[64];  /* the worst: "layer 1, gated_q8, position 7" */
    bool is_filling; /* rows are put in the place of nothing: there is none to compare them with */
} e2e_forced;
ifn_status e2e_force(void *cookie, const tap_call *call, ifn_status status);

#endif
