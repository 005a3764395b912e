/*
 * The forward pass of a whole model in f64, which gives the logits l* of numerics 11. It is independent of the
 * engine and uses only gguf.h and model.h: it evaluates each layer over all positions at once, where the engine goes
 * chunk by chunk through a cache.
 */
#ifndef CONFORM_FORWARD_F64_H
#define CONFORM_FORWARD_F64_H

#include <inferno/context.h>
#include <inferno/model.h>

/* All zero: the engine's defaults, without a jolt. */
typedef struct conform_truth_mode {
    ifn_activations activations; /* Q8: quantized weights read Q8_32F rows; AUTO as in a context */
    ifn_dtype cache; /* F32: K and V keep every bit; F16, Q8_0: narrowed as kv_store does */
    double jolt;     /* relative perturbation of every value before it is narrowed (numerics 11.2:
                    * 2^-20); 0: none */
    uint64_t seed;   /* of the signs of the jolts */
    /* Compute the logits of these positions only, in ascending order; NULL: of all. Everything before
     * the logits is computed, and passed to the sink, for all positions. */
    const int64_t *steps;
    int64_t n_steps;
} conform_truth_mode;

/*
 * Receives the output of every op, in order: [rows, cols], borrowed for the call. The layer is -1
 * outside the transformer blocks.
 *
 *   embedding
 *   attn_norm  q k v  q_norm k_norm  q_rope k_rope  k_stored v_stored  attended  attn_output
 *   attn_residual  ffn_norm  gate up  gated  ffn_down  ffn_residual
 *   output_norm  logits
 *
 * q_norm and k_norm come only if the model has them. Before a linear that reads Q8_32F rows come the
 * decoded values of those rows: attn_norm_q8, attended_q8, ffn_norm_q8, gated_q8, output_norm_q8.
 */
typedef struct conform_truth_sink {
    void (*put)(void *cookie, int64_t layer, const char *name, const double *data, int64_t rows,
                int64_t cols);
    void *cookie;
} conform_truth_sink;

enum { CONFORM_TRUTH_MAX_IDS = 1 << 20 };

/*
 * Computes, by teacher forcing, the logits [n, n_vocab] of every position of ids, or [n_steps, n_vocab] of
 * the positions in mode->steps. sink may be NULL.
 *
 * Errors  IFN_ERR_ARGUMENT: an id outside the vocabulary, n out of its range, a cache dtype that is
 *         none or does not fit head_dim, steps that do not rise or are not of these ids
 */
IFN_NODISCARD ifn_status conform_forward_f64(const ifn_model *model, const ifn_token *ids,
                                             int64_t n, const conform_truth_mode *mode,
                                             const conform_truth_sink *sink,
                                             const ifn_allocator *alloc, double *logits,
                                             ifn_error *err);

#endif
