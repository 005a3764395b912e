#ifndef IFN_CONTEXT_PRIV_H
#define IFN_CONTEXT_PRIV_H

#include <inferno/context.h>

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
    int64_t position;
    int has_logits;
    ifn_error *err; /* of the call that is running */
};

/* One pass over `rows` new tokens at `first_pos`. */
typedef struct ifn_pass {
    int64_t rows, first_pos;
} ifn_pass;

/* ids and rope rows are in place; leaves the residual stream in b.x + b.delta (fused) or b.x. */
ifn_status ifn_forward_fused(ifn_context *self, const ifn_pass *pass);
ifn_status ifn_forward_primitive(ifn_context *self, const ifn_pass *pass);

/* Logits of n rows of the last pass, from row `first` on, to b.logits. */
ifn_status ifn_logits_fused(ifn_context *self, int64_t first, int64_t n);
ifn_status ifn_logits_primitive(ifn_context *self, int64_t first, int64_t n);

/* Turns the status of an op into an error with the op's name. */
ifn_status ifn_context_ran(ifn_context *self, const char *op, ifn_status status);

/* What every argument struct begins with; `type` is its own. */
#define IFN_CALL_OF(c, type)                                                                       \
    {                                                                                              \
        (uint32_t)sizeof(type), (c)->plan.params.lane, (c)->plan.n_lanes, (c)->b.scratch,          \
            (c)->plan.scratch_bytes                                                                \
    }

/* IFN_RUN(c, rms_norm, .out = ..., ...): one op call on the context's backend. */
#define IFN_RUN(c, op, ...)                                                                        \
    ifn_context_ran(                                                                               \
        (c), #op,                                                                                  \
        ifn_##op((c)->backend, &(const ifn_##op##_args){.call = IFN_CALL_OF((c), ifn_##op##_args), \
                                                        __VA_ARGS__}))

#endif
