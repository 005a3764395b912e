/* What a context sees of the weights: groups that share one input. */
#ifndef IFN_WEIGHTS_PRIV_H
#define IFN_WEIGHTS_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>

#include <inferno/weights.h>

/* The ops that read weights through handles, and their bits. */
/* clang-format off */
#define IFN_WEIGHT_USES(X)                               \
    X(GATHER_ROWS, IFN_USE_GATHER_ROWS)                  \
    X(LINEAR,      IFN_USE_LINEAR)                       \
    X(LINEAR_Q8,   IFN_USE_LINEAR_Q8)
/* clang-format on */

enum {
#define X(NAME, bit) IFN_WEIGHT_##NAME,
    IFN_WEIGHT_USES(X)
#undef X
        IFN_WEIGHT_USE_COUNT
};

typedef struct ifn_weight {
    const ifn_tensor *raw; /* borrowed from the model */
    const float *bias;     /* [n] or NULL: where ops read it, as the vectors of layers */
    float *transposed;     /* [k, n] f32 for matmul, or NULL; owned */
    size_t transposed_bytes;
    ifn_packed packed[IFN_WEIGHT_USE_COUNT];      /* what implementer i made, owned */
    ifn_backend *packed_by[IFN_WEIGHT_USE_COUNT]; /* NULL: nothing to release */
    const void *handle[IFN_WEIGHT_USE_COUNT];     /* by use: what to pass, or NULL */
} ifn_weight;

/* Weights that one op call reads together. */
typedef struct ifn_weight_group {
    int64_t n;
    ifn_weight w[IFN_LINEAR_MAX];
} ifn_weight_group;

typedef struct ifn_layer_weights {
    const float *attn_norm, *attn_q_norm, *attn_k_norm, *ffn_norm; /* NULL: the model has none */
    ifn_weight_group qkv, attn_output, gate_up, ffn_down;
} ifn_layer_weights;

typedef struct ifn_weights_cache ifn_weights_cache; /* weights_cache.h */

struct ifn_weights {
    atomic_int refs;
    const ifn_allocator *alloc;
    const ifn_model *model; /* borrowed */
    ifn_backend *backend;   /* borrowed */
    uint32_t uses;
    int32_t raw;
    uint64_t bytes, max_bytes; /* 0: no limit */
    int64_t n_layers;
    ifn_layer_weights *layers;
    ifn_weight_group token_embd, output;
    const float *output_norm;
    void *vectors; /* copies of norms and biases, or NULL; owned */
    size_t vectors_bytes;
    bool has_dropped;         /* weights of the file, as they are packed */
    ifn_weights_cache *cache; /* NULL: none was asked for; owned */
    bool is_cached;           /* its images are adopted */
    int64_t n_prepared, n_adopted;
};

/* Every group there is, with the uses that concern it: embeddings are gathered, the rest
 * multiplied. Progress is in bytes of the file. */
typedef ifn_status (*ifn_group_fn)(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                   ifn_error *err);
ifn_status ifn_weights_each_group(ifn_weights *self, const ifn_progress *progress, ifn_group_fn fn,
                                  ifn_error *err);

/* Finds norms and biases a place where ops read them, in the file or on a device. */
ifn_status ifn_weights_place_vectors(ifn_weights *self, ifn_error *err);
/* Gives them one beside the file in any case. */
ifn_status ifn_weights_copy_vectors(ifn_weights *self, ifn_error *err);
void ifn_weights_free_vectors(ifn_weights *self);

/* Bytes of the host into a buffer of the backend, before any pass. */
ifn_status ifn_weights_copy_in(ifn_weights *self, void *out, const void *host, size_t bytes);

/* Asks the backends that run the ops of `uses` for their layouts of one group. */
ifn_status ifn_weights_prepare_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                     ifn_error *err);
/* What ifn_weights_prepare_group would prepare, for the cache. */
ifn_status ifn_weights_expect_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                    ifn_error *err);
void ifn_weights_release_group(ifn_weight_group *group);

/* Where every op of `uses` reads another layout, the file's pages take no memory any more. */
void ifn_weights_drop_packed(ifn_weights *self, const ifn_weight_group *group, uint32_t uses);

/* The f32, transposed copies of the primitive graph. */
ifn_status ifn_weights_transpose_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                       ifn_error *err);
void ifn_weights_free_transposed(ifn_weights *self, ifn_weight_group *group);

/* Bytes that ifn_weights_transpose_group would keep for the whole model; saturates. */
uint64_t ifn_weights_primitive_bytes(const ifn_model *model);

/* What backends reserve scratch for. */
ifn_limits ifn_weights_limits(const ifn_model *model, int64_t rows, int64_t max_pos);

#endif
