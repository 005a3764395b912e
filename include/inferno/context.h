/*
 * A context: a sequence of tokens going through a model, with its KV cache and buffers. batch.h has
 * contexts of several sequences.
 *
 * Stability: stable. Structs of callers grow at the end and say how long they are.
 */
#ifndef INFERNO_CONTEXT_H
#define INFERNO_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/backend.h>
#include <inferno/export.h>
#include <inferno/model.h>
#include <inferno/status.h>
#include <inferno/token.h>
#include <inferno/weights.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_context ifn_context; /* belongs to one thread */

enum {
    IFN_GRAPH_FUSED = 0,    /* the graph for use */
    IFN_GRAPH_PRIMITIVE = 1 /* the same in primitive ops only: slow, obvious, the reference */
};

typedef int32_t ifn_graph;

enum {
    IFN_ACTIVATIONS_AUTO = 0, /* q8 for quantized weights in the fused graph, else f32 */
    IFN_ACTIVATIONS_F32 = 1,
    IFN_ACTIVATIONS_Q8 = 2 /* Q8_32F into every quantized weight */
};

typedef int32_t ifn_activations;

enum {
    IFN_KV_OFF = 0, /* every eval recomputes the whole sequence */
    IFN_KV_F32 = 1, /* f32 */
    IFN_KV_F16 = 2, /* fused graph only, like Q8_0 */
    IFN_KV_Q8_0 = 3
};

typedef int32_t ifn_kv;

/* The dtype that keys and values are stored in; F32 also for IFN_KV_OFF. */
IFN_API ifn_dtype ifn_kv_dtype(ifn_kv kv);

/*
 * All zeros except `bytes` is a sensible default, but without a KV cache (kv). Contexts on several threads may share
 * model, weights and backend with its threads, if the backend was opened for so many contexts (n_contexts).
 */
typedef struct ifn_context_params {
    uint32_t bytes; /* of this struct: IFN_CONTEXT_PARAMS_INIT */
    /* 0 .. n_contexts - 1 of the options its backend was opened with: contexts that run at once need
     * different lanes. */
    int32_t lane;
    int64_t max_pos; /* tokens the context holds; 0: the context length the model was trained for */
    int64_t max_rows; /* most tokens in one pass, longer input goes in chunks; 0: 512 at most */
    ifn_graph graph;
    ifn_activations activations;
    ifn_kv kv;
    int32_t all_logits;  /* 1: ifn_context_eval_all will be called */
    uint64_t max_memory; /* bytes; a larger plan is refused. 0: no limit */
    /* Sequences of max_pos tokens each (batch.h); 0: 1. More than one need a KV cache and the fused graph. */
    int32_t n_sequences;
    int32_t reserved; /* zero */
    /* Rows of a page of the KV cache: 16, 32, 64, 128 or 256; 0: every sequence has a fixed region of
     * max_pos rows. Pages need a KV cache and the fused graph. */
    int64_t page_rows;
    int64_t n_pages; /* of the cache; 0: enough for max_pos tokens in every sequence, unshared */
} ifn_context_params;

#define IFN_CONTEXT_PARAMS_INIT IFN_SIZED_INIT(ifn_context_params)

/* The memory that a context will take, in bytes, by purpose. */
typedef struct ifn_plan {
    uint32_t bytes;            /* of this struct: IFN_PLAN_INIT */
    uint64_t kv_bytes;         /* the KV cache */
    uint64_t buffer_bytes;     /* activations, logits, scratch */
    uint64_t host_bytes;       /* ids, rope rows, candidates */
    uint64_t f32_weight_bytes; /* the primitive graph's copies, held by ifn_weights */
    uint64_t total_bytes;
} ifn_plan;

#define IFN_PLAN_INIT IFN_SIZED_INIT(ifn_plan)

/**
 * Computes the memory that a context with these parameters would take, and allocates nothing. Errors as
 * ifn_context_open; a plan above max_memory is filled in and refused with IFN_ERR_ARGUMENT.
 */
IFN_API IFN_NODISCARD ifn_status ifn_context_plan(const ifn_model *model,
                                                  const ifn_backend *backend,
                                                  const ifn_context_params *params, ifn_plan *plan,
                                                  ifn_error *err);

/* The IFN_USE_* that weights must be opened with for a context with these parameters. */
IFN_API uint32_t ifn_context_uses(const ifn_model *model, const ifn_context_params *params);

/**
 * Takes all memory the context will ever need. Holds a reference to `weights`.
 * Errors  IFN_ERR_ARGUMENT: q8 with the primitive graph, a KV dtype that the graph or head_dim does not
 *         permit, several sequences or pages without a KV cache or in the primitive graph, another page
 *         size than those above, weights opened without the uses this needs, a plan above max_memory, a
 *         lane that the backend was not opened for
 */
IFN_API IFN_NODISCARD ifn_status ifn_context_open(ifn_weights *weights,
                                                  const ifn_context_params *params,
                                                  const ifn_allocator *alloc, ifn_context **out,
                                                  ifn_error *err);
IFN_API void ifn_context_close(ifn_context *self); /* NULL is fine */

/**
 * Appends n ids to the sequence and computes the logits of the last. n = 0 does nothing. Allocates
 * nothing. On an error the sequence stays as it was.
 * Errors  IFN_ERR_ARGUMENT: an id outside the vocabulary, more tokens than the context holds
 */
IFN_API IFN_NODISCARD ifn_status ifn_context_eval(ifn_context *self, const ifn_token *ids, size_t n,
                                                  ifn_error *err);

/* The same, and writes the logits of all n positions to out [n, n_vocab] in host memory. */
IFN_API IFN_NODISCARD ifn_status ifn_context_eval_all(ifn_context *self, const ifn_token *ids,
                                                      size_t n, float *out, ifn_error *err);

/* Tokens in the sequence. */
IFN_API int64_t ifn_context_position(const ifn_context *self);
/* Tokens the context holds. */
IFN_API int64_t ifn_context_max_position(const ifn_context *self);

/* Forgets everything from `position` on; the next eval continues there. */
IFN_API IFN_NODISCARD ifn_status ifn_context_rewind(ifn_context *self, int64_t position,
                                                    ifn_error *err);

/* Writes the logits of the last position to out [n_vocab] in host memory. Needs an eval before. */
IFN_API IFN_NODISCARD ifn_status ifn_context_logits(ifn_context *self, float *out, ifn_error *err);

/* How the sampler chooses the next id. All zeros except `bytes` is greedy. */
typedef struct ifn_sampling {
    uint32_t bytes;    /* of this struct: IFN_SAMPLING_INIT */
    float temperature; /* 0: greedy */
    int32_t top_k;     /* keep this many candidates; 0: all */
    float top_p;       /* keep the smallest set whose probability reaches this; 0 or 1: all */
    float min_p;       /* drop candidates below this times the largest probability; 0: none */
    uint64_t seed;
    /* Penalties on ids in the sampler's `recent`: a positive logit is divided by `repeat`, another one
     * multiplied by it (0 or 1: no change); then `frequency` per occurrence and `presence` once are subtracted. */
    float repeat, frequency, presence;
} ifn_sampling;

#define IFN_SAMPLING_INIT IFN_SIZED_INIT(ifn_sampling)

/* The state of a sampler, with its own random generator: one seed gives the same ids on every machine. */
typedef struct ifn_sampler {
    uint32_t bytes; /* of this struct: IFN_SAMPLER_INIT, before ifn_sampler_init */
    uint64_t n_drawn;
    const ifn_token *recent; /* set by the caller before each choice; borrowed; NULL: none */
    size_t n_recent;
    uint64_t reserved[2]; /* zero */
    ifn_sampling how;     /* last, as it grows */
} ifn_sampler;

#define IFN_SAMPLER_INIT IFN_SIZED_INIT(ifn_sampler)

IFN_API IFN_NODISCARD ifn_status ifn_sampler_init(ifn_sampler *self, const ifn_sampling *how,
                                                  ifn_error *err);

/**
 * Chooses the next id from the logits of the last position; `prob` (may be NULL) is the probability
 * of that id under the softmax of all logits. A greedy choice is the argmax of the logits, lowest
 * index on ties. Penalties come first, then filters in the order top_k, top_p, min_p, then
 * temperature.
 */
IFN_API IFN_NODISCARD ifn_status ifn_context_sample(ifn_context *self, ifn_sampler *sampler,
                                                    ifn_token *id, float *prob, ifn_error *err);

IFN_EXTERN_C_END

#endif
