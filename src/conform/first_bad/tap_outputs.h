/*
 * What a call has finished once it returns: it says itself where in the forward pass it stands, and
 * whether what it writes is that point. Positions of the sequence are counted here.
 */
#ifndef CONFORM_TAP_OUTPUTS_H
#define CONFORM_TAP_OUTPUTS_H

#include "tap.h"

typedef struct tap_pass {
    const ifn_model *model;
    const ifn_hparams *h;
    int64_t pass, pass_pos, pass_rows, next_pos;
    int64_t logits_row;  /* primitive graph: the row of the pass whose logits are made */
    const void *decoded; /* primitive graph: f32 rows, made last of a weight, and of which */
    const ifn_tensor *of_what;
} tap_pass;

void conform_tap_pass_open(tap_pass *self, const ifn_model *model);

/* Fills in everything behind `number`. To be asked once for each call, in their order. */
void conform_tap_outputs(tap_pass *self, tap_call *call);

#endif
