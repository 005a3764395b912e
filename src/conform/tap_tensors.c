#include "tap_tensors.h"

#include <stdlib.h>

static int is_of(const ifn_tensor *t, const void *data)
{
    return t && t->data == data;
}

static int find_in_layer(const ifn_layer *l, const void *data, tap_known *out)
{
    const tap_known all[] = {
        {l->attn_norm, 0, POINT_ATTN_NORM},
        {l->attn_q, 0, POINT_Q},
        {l->attn_k, 0, POINT_K},
        {l->attn_v, 0, POINT_V},
        {l->attn_q_norm, 0, POINT_Q_NORM},
        {l->attn_k_norm, 0, POINT_K_NORM},
        {l->attn_output, 0, POINT_ATTN_OUTPUT},
        {l->ffn_norm, 0, POINT_FFN_NORM},
        {l->ffn_gate, 0, POINT_GATE},
        {l->ffn_up, 0, POINT_UP},
        {l->ffn_down, 0, POINT_FFN_DOWN},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!is_of(all[i].tensor, data))
            continue;
        *out = all[i];
        return 1;
    }
    return 0;
}

int tap_find_tensor(const tap_place *self, const void *data, tap_known *out)
{
    const ifn_globals *const g = ifn_model_globals(self->model);
    for (int64_t i = 0; i < self->h->n_layers; i++) {
        if (!find_in_layer(ifn_model_layer(self->model, i), data, out))
            continue;
        out->layer = i;
        return 1;
    }
    *out = (tap_known){g->output, -1, POINT_LOGITS};
    if (is_of(g->output_norm, data))
        *out = (tap_known){g->output_norm, -1, POINT_OUTPUT_NORM};
    return is_of(out->tensor, data);
}

int tap_find_copy(const tap_place *self, const void *data, tap_known *out)
{
    for (size_t i = self->n_copies; i-- > 0;)
        if (self->copies[i].data == data)
            return tap_find_tensor(self, self->copies[i].weight->data, out);
    return 0;
}

void tap_learn_copy(tap_place *self, const ifn_transpose_2d_args *a)
{
    if (!self->decoded.data || a->x != self->decoded.data)
        return;
    if (self->n_copies == self->room) {
        const size_t room = self->room ? 2 * self->room : 64;
        tap_copy *const more = realloc(self->copies, room * sizeof *more);
        if (!more)
            return; /* its calls go by the order of the graph alone */
        self->copies = more;
        self->room = room;
    }
    self->copies[self->n_copies++] = (tap_copy){a->out, self->decoded.weight};
    self->decoded.data = NULL;
}
