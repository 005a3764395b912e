#ifndef IFN_CONTEXT_PRIV_H
#define IFN_CONTEXT_PRIV_H

#include <inferno/batch.h>
#include <stdbool.h>

#include "plan.h"
#include "weights_priv.h"

struct ifn_context {
    const ifn_allocator *alloc;
    ifn_weights *weights; /* one reference */
    ifn_backend *backend; /* the weights' */
    const ifn_model *model;
    const ifn_hparams *h;
    ifn_resolved plan;
    ifn_buffers b;
    ifn_host_buffers host;
    void *block; /* from the backend's allocator */
    void *host_block;
    size_t block_bytes, host_bytes;
    bool has_huge_pages; /* has asked for them */
    int64_t n_kept;      /* rows of b.logits that sequences have kept since the last evaluation */
    ifn_error *err;      /* of the call that is running */
    int16_t layer;       /* where the pass is: what calls say of themselves */
    uint8_t point;
};

/* One pass over `rows` new tokens: at `first_pos` of the one sequence, or, in a context of several,
 * where spans say, and then first_pos is 0. */
typedef struct ifn_pass {
    int64_t rows, first_pos;
    const ifn_span *spans;
    int64_t n_spans;
} ifn_pass;

/* ids and rope rows are in place; leaves the residual stream in b.x + b.delta (fused) or b.x. */
ifn_status ifn_forward_fused(ifn_context *self, const ifn_pass *pass);
ifn_status ifn_forward_primitive(ifn_context *self, const ifn_pass *pass);

/* Logits of n rows of the last pass, from row `first` on, to b.logits. */
ifn_status ifn_logits_primitive(ifn_context *self, int64_t first, int64_t n);
/* The same in two steps: normed rows go to b.normed from row `at` on, and n of those, from the first
 * one on, to b.logits from row `to` on. */
ifn_status ifn_norm_for_logits(ifn_context *self, int64_t first, int64_t n, int64_t at);
ifn_status ifn_logits_of_normed(ifn_context *self, int64_t n, int64_t to);

/* A sequence in use; NULL, and an error, for another number. */
ifn_sequence *ifn_sequence_of(ifn_context *self, int32_t sequence);
/* The logits of its last position, in a buffer of the backend; NULL, and an error, for none. */
const float *ifn_kept_logits(ifn_context *self, int32_t sequence);

/* Bytes of a buffer of the backend into memory of the host: the one way out of a pass. */
ifn_status ifn_context_read(ifn_context *self, void *host, const void *from, size_t bytes);

/* Turns the status of an op into an error with the op's name. */
ifn_status ifn_context_ran(ifn_context *self, const char *op, ifn_status status);

/* Goes to a point of the layer at hand: what the calls that follow work towards. */
static inline void ifn_context_at(ifn_context *self, ifn_point point)
{
    self->point = (uint8_t)point;
}

/* What every argument struct begins with; `type` is its own. */
#define IFN_CALL_OF(c, type, arrives)                                                              \
    {                                                                                              \
        .bytes = (uint32_t)sizeof(type), .lane = (c)->plan.params.lane,                            \
        .n_lanes = (c)->plan.n_lanes, .layer = (c)->layer, .point = (c)->point,                    \
        .is_point = (arrives), .scratch = (c)->b.scratch, .scratch_bytes = (c)->plan.scratch_bytes \
    }

#define IFN_RUN_AS(c, arrives, op, ...)                                                            \
    ifn_context_ran((c), #op,                                                                      \
                    ifn_##op((c)->backend, &(const ifn_##op##_args){                               \
                                               .call = IFN_CALL_OF((c), ifn_##op##_args, arrives), \
                                               __VA_ARGS__}))

/* IFN_RUN(c, rms_norm, .out = ..., ...): one op call on the context's backend, which writes the
 * point at hand. IFN_STEP: it writes something on the way there. */
#define IFN_RUN(c, op, ...)  IFN_RUN_AS(c, 1, op, __VA_ARGS__)
#define IFN_STEP(c, op, ...) IFN_RUN_AS(c, 0, op, __VA_ARGS__)

#endif
