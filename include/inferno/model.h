/*
 * A model inside a GGUF file: hyper-parameters and tensors, validated together.
 *
 * Stability: stable. Structs here are the library's and grow at the end. Architectures may be
 * added.
 */
#ifndef INFERNO_MODEL_H
#define INFERNO_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/export.h>
#include <inferno/gguf.h>
#include <inferno/ops.h>
#include <inferno/status.h>
#include <inferno/tensor.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_model ifn_model; /* immutable once open; threads may share it */

/* The properties in which architectures differ. */
typedef struct ifn_arch {
    const char *name; /* general.architecture, and the prefix of its keys */
    ifn_rope_pairing rope_pairing;
    int32_t needs_qkv_bias; /* 1: q, k and v have a bias; 0: they may have one */
    int32_t has_qk_norm;
} ifn_arch;

/* The architectures that ifn_model_open accepts. Static. */
IFN_API const ifn_arch *ifn_arch_list(size_t *n);

typedef struct ifn_hparams {
    const char *arch; /* "qwen3"; static */
    int64_t n_vocab;  /* rows of the embedding */
    int64_t n_ctx_train;
    int64_t n_embd, n_ff, n_layers;
    int64_t n_heads, n_kv_heads, head_dim;
    float rms_eps;
    double rope_theta;
    ifn_rope_pairing rope_pairing;
} ifn_hparams;

/* The tensors of one block; NULL where the architecture has none. Weights are [out, in]. */
typedef struct ifn_layer {
    const ifn_tensor *attn_norm;                /* [n_embd] F32 */
    const ifn_tensor *attn_q, *attn_k, *attn_v; /* [n_heads * head_dim, n_embd], ... */
    const ifn_tensor *attn_q_bias, *attn_k_bias, *attn_v_bias; /* F32, or NULL */
    const ifn_tensor *attn_q_norm, *attn_k_norm;               /* [head_dim] F32, or NULL */
    const ifn_tensor *attn_output;                             /* [n_embd, n_heads * head_dim] */
    const ifn_tensor *ffn_norm;                                /* [n_embd] F32 */
    const ifn_tensor *ffn_gate, *ffn_up;                       /* [n_ff, n_embd] */
    const ifn_tensor *ffn_down;                                /* [n_embd, n_ff] */
} ifn_layer;

/* The tensors outside the blocks. */
typedef struct ifn_model_tensors {
    const ifn_tensor *token_embd;  /* [n_vocab, n_embd] */
    const ifn_tensor *output_norm; /* [n_embd] F32 */
    const ifn_tensor *output;      /* [n_vocab, n_embd]; token_embd itself where they are tied */
    const ifn_tensor *rope_freqs;  /* [head_dim / 2] F32 divisors of the frequencies, or NULL */
} ifn_model_tensors;

/**
 * Reads and checks everything: architecture (llama, qwen2, qwen3), hyper-parameters, and the shape
 * and type of every tensor. `gguf` is borrowed and must stay open as long as the model.
 *
 * Errors  IFN_ERR_FORMAT or IFN_ERR_UNSUPPORTED with a message that names the key or the tensor,
 *         what was found and what was expected
 *         IFN_ERR_UNSUPPORTED: a big-endian machine, which cannot use the file's floats in place
 */
IFN_API IFN_NODISCARD ifn_status ifn_model_open(const ifn_gguf *gguf, const ifn_allocator *alloc,
                                                ifn_model **out, ifn_error *err);
IFN_API void ifn_model_close(ifn_model *self); /* NULL is fine */

IFN_API const ifn_hparams *ifn_model_hparams(const ifn_model *self);
IFN_API const ifn_model_tensors *ifn_model_tensors_of(const ifn_model *self);
IFN_API const ifn_layer *ifn_model_layer(const ifn_model *self, int64_t index); /* or NULL */
IFN_API const ifn_gguf *ifn_model_gguf(const ifn_model *self);

/* 1 if some weight that a linear reads is quantized; `--activations auto` depends on it. */
IFN_API int ifn_model_is_quantized(const ifn_model *self);

/**
 * The table row of one position for apply_rope: head_dim / 2 cosines, then head_dim / 2 sines, of
 * the angles position * theta^(-2i / head_dim) / factor_i, formed in f64 and rounded once.
 *
 * row  [head_dim]
 */
IFN_API void ifn_model_rope_row(const ifn_model *self, int64_t position, float *row);

IFN_EXTERN_C_END

#endif
