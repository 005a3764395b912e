#ifndef IFN_CONTEXT_PRIV_H
#define IFN_CONTEXT_PRIV_H

#include <inferno/batch.h>
#include <stdbool.h>

#include "plan.h"
#include "weights_priv.h"

struct ifn_context {
    const ifn_allocator *alloc;
    ifn_weights *weights; /* owns one reference */
    ifn_backend *backend; /* that of the weights */
    const ifn_model *model;
    const ifn_hparams *h;
    ifn_resolved plan;
    ifn_buffers b;
    ifn_host_buffers host;
    void *block; /* holds the buffers b; from the backend's allocator */
    void *host_block;
    size_t block_bytes, host_bytes;
    bool has_huge_pages; /* the block has been moved to huge pages, or that was tried */
    int64_t n_kept;      /* rows of b.logits in use by sequences since the last evaluation began */
    ifn_error *err;      /* receives the error of the call that is running */
    int16_t layer;       /* where the pass is: copied into the ifn_call of each op */
    uint8_t point;
};

/* One pass over `rows` new tokens. With one sequence they begin at position `first_pos`; with several,
 * `spans` give the positions and first_pos is 0. */
typedef struct ifn_pass {
    int64_t rows, first_pos;
    const ifn_span *spans;
    int64_t n_spans;
} ifn_pass;

/* Run all layers of a pass whose ids and rope rows are in place. The residual stream ends up as the sum
 * b.x + b.delta (fused) or in b.x (primitive). */
ifn_status ifn_forward_fused(ifn_context *self, const ifn_pass *pass);
ifn_status ifn_forward_primitive(ifn_context *self, const ifn_pass *pass);

/* Writes the logits of rows [first, first + n) of the last pass to b.logits. */
ifn_status ifn_logits_primitive(ifn_context *self, int64_t first, int64_t n);
/* The same in two steps, for the fused graph. The first norms rows [first, first + n) into b.normed (or
 * b.normed_q8) from row `at` on; the second multiplies rows [0, n) of that into b.logits from row `to` on. */
ifn_status ifn_norm_for_logits(ifn_context *self, int64_t first, int64_t n, int64_t at);
ifn_status ifn_logits_of_normed(ifn_context *self, int64_t n, int64_t to);

/* The sequence of this number; NULL, with an error in self->err, if none of that number is in use. */
ifn_sequence *ifn_sequence_of(ifn_context *self, int32_t sequence);
/* The logits of the sequence's last position, in a buffer of the backend; NULL, with an error, if there are none. */
const float *ifn_kept_logits(ifn_context *self, int32_t sequence);

/* Copies bytes from a buffer of the backend to memory of the host. All results of a pass leave it this way. */
ifn_status ifn_context_read(ifn_context *self, void *host, const void *from, size_t bytes);

/* Returns `status`; if it is a failure, writes an error that names the op and its place to self->err. */
ifn_status ifn_context_ran(ifn_context *self, const char *op, ifn_status status);

/* Sets the point of the current layer that the following calls compute. */
static inline void ifn_context_at(ifn_context *self, ifn_point point)
{
    self->point = (uint8_t)point;
}

/* The ifn_call that opens every argument struct; `type` is that struct's type, `arrives` is 1 if the call
 * writes the current point. */
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

/* IFN_RUN(c, rms_norm, .out = ..., ...): one op call on the context's backend that writes the current
 * point. IFN_STEP: one that writes an intermediate result. */
#define IFN_RUN(c, op, ...)  IFN_RUN_AS(c, 1, op, __VA_ARGS__)
#define IFN_STEP(c, op, ...) IFN_RUN_AS(c, 0, op, __VA_ARGS__)

#endif
