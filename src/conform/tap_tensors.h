/* Which tensor of the model a call reads. */
#ifndef CONFORM_TAP_TENSORS_H
#define CONFORM_TAP_TENSORS_H

#include "tap_place.h"

typedef struct tap_known {
    const ifn_tensor *tensor;
    int64_t layer;
    tap_point point; /* that it helps to make */
} tap_known;

/* The weight or norm whose data this is. The embedding counts as what logits are made with. */
int tap_find_tensor(const tap_place *self, const void *data, tap_known *out);

/* The same by its f32 copy; the latest at an address, as earlier ones may have been freed. */
int tap_find_copy(const tap_place *self, const void *data, tap_known *out);

/* A transposed copy of what was decoded last. Without memory it goes by the order of the graph. */
void tap_learn_copy(tap_place *self, const ifn_transpose_2d_args *a);

#endif
