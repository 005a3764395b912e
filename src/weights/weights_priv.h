/* The weights as a context sees them: in groups whose members share one input. */
#ifndef IFN_WEIGHTS_PRIV_H
#define IFN_WEIGHTS_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>

#include <inferno/weights.h>

/* The ops that read packed weights, and their bits in `uses`. */
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
    const float *bias;     /* [n] or NULL; in the file or in `vectors`, like the norms of layers */
    float *transposed;     /* [k, n] f32 for matmul, or NULL; owned */
    size_t transposed_bytes;
    ifn_packed packed[IFN_WEIGHT_USE_COUNT];      /* what the backend that runs use i made, owned */
    ifn_backend *packed_by[IFN_WEIGHT_USE_COUNT]; /* that backend; NULL: nothing to release */
    const void *handle[IFN_WEIGHT_USE_COUNT];     /* by use: what to pass as `packed`, or NULL */
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
    bool has_dropped; /* pages of packed weights' raw bytes in the file have been given back */
    ifn_weights_cache *cache; /* NULL: none was asked for; owned */
    bool is_cached;           /* the cache's images are adopted */
    int64_t n_prepared, n_adopted;
};

/* Calls fn for every group, with the uses that concern it: embeddings are gathered, the rest is
 * multiplied. Progress counts bytes of the file. */
typedef ifn_status (*ifn_group_fn)(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                   ifn_error *err);
ifn_status ifn_weights_each_group(ifn_weights *self, const ifn_progress *progress, ifn_group_fn fn,
                                  ifn_error *err);

/* Sets the pointers to norms and biases: into the file or, for a device, to copies on it. */
ifn_status ifn_weights_place_vectors(ifn_weights *self, ifn_error *err);
/* Copies norms and biases out of the file even if the backend is not a device. */
ifn_status ifn_weights_copy_vectors(ifn_weights *self, ifn_error *err);
void ifn_weights_free_vectors(ifn_weights *self);

/* Copies bytes of the host into a buffer of the backend, before any pass. */
ifn_status ifn_weights_copy_in(ifn_weights *self, void *out, const void *host, size_t bytes);

/* Lets the backends that run the ops of `uses` prepare, or adopt, the weights of one group. */
ifn_status ifn_weights_prepare_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                     ifn_error *err);
/* Tells the cache what ifn_weights_prepare_group would prepare. */
ifn_status ifn_weights_expect_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                    ifn_error *err);
void ifn_weights_release_group(ifn_weight_group *group);

/* Gives back the file's pages of each weight whose raw bytes no multiplying op of `uses` reads. */
void ifn_weights_drop_packed(ifn_weights *self, const ifn_weight_group *group, uint32_t uses);

/* Makes the transposed f32 copies that the primitive graph reads. */
ifn_status ifn_weights_transpose_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                       ifn_error *err);
void ifn_weights_free_transposed(ifn_weights *self, ifn_weight_group *group);

/* Bytes that ifn_weights_transpose_group would keep for the whole model; saturates. */
uint64_t ifn_weights_primitive_bytes(const ifn_model *model);

/* The largest sizes that calls on this model have; backends size their scratch by them. */
ifn_limits ifn_weights_limits(const ifn_model *model, int64_t rows, int64_t max_pos);

#endif
