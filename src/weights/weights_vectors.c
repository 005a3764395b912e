/*
 * Places norms and biases. The file already stores them as ops read them. They are copied, all into one block,
 * for a device, and for a host that reads nothing else of the file while it runs: they lie between the weights
 * in the file, and reading a large page of the file would bring in the weights around them.
 */
#include "weights_priv.h"

#include <stdbool.h>
#include <string.h>

#include "alloc_priv.h"
#include "arena.h"

typedef struct placing {
    ifn_weights *self;
    bool is_copied;
    ifn_arena block; /* holds the copies; an arena without memory only measures */
    ifn_status status;
} placing;

ifn_status ifn_weights_copy_in(ifn_weights *self, void *out, const void *host, size_t bytes)
{
    const ifn_copy_in_args a = {
        .call = {.bytes = sizeof a, .n_lanes = 1, .layer = -1, .point = IFN_POINT_WEIGHTS},
        .out = out,
        .host = host,
        .bytes = bytes,
    };
    return ifn_copy_in(self->backend, &a);
}

/* The allocator of the copies. A backend that is not a device may read any memory of the host. */
static const ifn_allocator *memory_of(const ifn_weights *self)
{
    return ifn_backend_is_device(self->backend) ? self->backend->buffers : self->alloc;
}

static ifn_status copy_vector(ifn_weights *self, float *to, const ifn_tensor *t)
{
    const size_t bytes = (size_t)t->shape[0] * sizeof(float);
    if (ifn_backend_is_device(self->backend))
        return ifn_weights_copy_in(self, to, t->data, bytes);
    memcpy(to, t->data, bytes);
    ifn_gguf_drop(ifn_model_gguf(self->model), t->data, bytes);
    return IFN_OK;
}

/* The address at which ops read a vector, copied if need be; NULL if there is no such vector. */
static const float *place(placing *p, const ifn_tensor *t)
{
    if (!t || !p->is_copied)
        return t ? t->data : NULL;
    float *const to = ifn_arena_take(&p->block, (size_t)t->shape[0], sizeof(float));
    if (to && p->status == IFN_OK)
        p->status = copy_vector(p->self, to, t);
    return to;
}

static void place_layer(placing *p, const ifn_layer *from, ifn_layer_weights *to)
{
    to->attn_norm = place(p, from->attn_norm);
    to->attn_q_norm = place(p, from->attn_q_norm);
    to->attn_k_norm = place(p, from->attn_k_norm);
    to->ffn_norm = place(p, from->ffn_norm);
    to->qkv.w[0].bias = place(p, from->attn_q_bias);
    to->qkv.w[1].bias = place(p, from->attn_k_bias);
    to->qkv.w[2].bias = place(p, from->attn_v_bias);
}

static void place_all(placing *p)
{
    for (int64_t i = 0; i < p->self->n_layers; i++)
        place_layer(p, ifn_model_layer(p->self->model, i), &p->self->layers[i]);
    p->self->output_norm = place(p, ifn_model_tensors_of(p->self->model)->output_norm);
}

ifn_status ifn_weights_place_vectors(ifn_weights *self, ifn_error *err)
{
    placing p = {.self = self};
    if (ifn_backend_is_device(self->backend))
        return ifn_weights_copy_vectors(self, err);
    place_all(&p);
    return IFN_OK;
}

ifn_status ifn_weights_copy_vectors(ifn_weights *self, ifn_error *err)
{
    const ifn_allocator *const memory = memory_of(self);
    placing p = {.self = self, .is_copied = true};
    ifn_arena_init(&p.block, NULL, 0);
    place_all(&p);
    const size_t bytes = p.block.used + IFN_MAX_OVERREAD;
    self->vectors = memory->alloc(memory->cookie, bytes, IFN_ALIGN);
    if (!self->vectors) {
        ifn_error why;
        return ifn_backend_explain(self->backend, &why)
                   ? ifn_fail(err, IFN_ERR_NOMEM, "weights: norms and biases: %s", why.text)
                   : ifn_fail(err, IFN_ERR_NOMEM, "weights: out of memory for norms and biases");
    }
    self->vectors_bytes = bytes;
    if (ifn_backend_is_device(self->backend))
        self->bytes += bytes;
    ifn_arena_init(&p.block, self->vectors, bytes);
    place_all(&p);
    if (p.status == IFN_OK) /* contexts on any lane read them: wait for the copies */
        p.status = ifn_backend_synchronize(self->backend, IFN_ALL_LANES);
    return p.status == IFN_OK ? IFN_OK
                              : ifn_fail(err, p.status, "weights: copy_in of norms and biases: %s",
                                         ifn_status_text(p.status));
}

void ifn_weights_free_vectors(ifn_weights *self)
{
    const ifn_allocator *const memory = memory_of(self);
    ifn_arena block;
    ifn_arena_init(&block, self->vectors, self->vectors_bytes);
    ifn_arena_fini(&block);
    memory->free(memory->cookie, self->vectors, self->vectors_bytes);
}
