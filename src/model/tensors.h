/* Finds a model's tensors by name: which ones an architecture has, and which shape each must have. */
#ifndef IFN_TENSORS_H
#define IFN_TENSORS_H

#include <inferno/model.h>

#include "arch.h"

/* The role of a tensor decides which dtypes it may have. */
typedef enum tensor_role {
    ROLE_WEIGHT, /* a matrix, any storage dtype */
    ROLE_F32     /* norms, biases, factors: ops read them as f32 */
} tensor_role;

/* When a tensor must be there. */
typedef enum tensor_need { NEED_ALWAYS, NEED_BIAS, NEED_QK_NORM, NEED_NEVER } tensor_need;

/* Names of extents. DIM_NONE as the second one: the tensor has one dimension. */
typedef enum tensor_dim {
    DIM_NONE,
    DIM_VOCAB,
    DIM_EMBD,
    DIM_Q,
    DIM_KV,
    DIM_HEAD,
    DIM_HALF_HEAD,
    DIM_FF
} tensor_dim;

/* X(field of ifn_layer, name after "blk.N.", role, first extent, second extent, need) */
/* clang-format off */
#define IFN_LAYER_TENSORS(X)                                                               \
    X(attn_norm,   "attn_norm.weight",   ROLE_F32,    DIM_EMBD, DIM_NONE, NEED_ALWAYS)     \
    X(attn_q,      "attn_q.weight",      ROLE_WEIGHT, DIM_Q,    DIM_EMBD, NEED_ALWAYS)     \
    X(attn_k,      "attn_k.weight",      ROLE_WEIGHT, DIM_KV,   DIM_EMBD, NEED_ALWAYS)     \
    X(attn_v,      "attn_v.weight",      ROLE_WEIGHT, DIM_KV,   DIM_EMBD, NEED_ALWAYS)     \
    X(attn_q_bias, "attn_q.bias",        ROLE_F32,    DIM_Q,    DIM_NONE, NEED_BIAS)       \
    X(attn_k_bias, "attn_k.bias",        ROLE_F32,    DIM_KV,   DIM_NONE, NEED_BIAS)       \
    X(attn_v_bias, "attn_v.bias",        ROLE_F32,    DIM_KV,   DIM_NONE, NEED_BIAS)       \
    X(attn_q_norm, "attn_q_norm.weight", ROLE_F32,    DIM_HEAD, DIM_NONE, NEED_QK_NORM)    \
    X(attn_k_norm, "attn_k_norm.weight", ROLE_F32,    DIM_HEAD, DIM_NONE, NEED_QK_NORM)    \
    X(attn_output, "attn_output.weight", ROLE_WEIGHT, DIM_EMBD, DIM_Q,    NEED_ALWAYS)     \
    X(ffn_norm,    "ffn_norm.weight",    ROLE_F32,    DIM_EMBD, DIM_NONE, NEED_ALWAYS)     \
    X(ffn_gate,    "ffn_gate.weight",    ROLE_WEIGHT, DIM_FF,   DIM_EMBD, NEED_ALWAYS)     \
    X(ffn_up,      "ffn_up.weight",      ROLE_WEIGHT, DIM_FF,   DIM_EMBD, NEED_ALWAYS)     \
    X(ffn_down,    "ffn_down.weight",    ROLE_WEIGHT, DIM_EMBD, DIM_FF,   NEED_ALWAYS)

/* X(field of ifn_model_tensors, name, role, first extent, second extent, need) */
#define IFN_GLOBAL_TENSORS(X)                                                              \
    X(output_norm, "output_norm.weight", ROLE_F32,    DIM_EMBD,      DIM_NONE, NEED_ALWAYS) \
    X(output,      "output.weight",      ROLE_WEIGHT, DIM_VOCAB,     DIM_EMBD, NEED_NEVER)  \
    X(rope_freqs,  "rope_freqs.weight",  ROLE_F32,    DIM_HALF_HEAD, DIM_NONE, NEED_NEVER)
/* clang-format on */

/* Finds token_embd, takes n_vocab from its shape, and checks that against the vocabulary. */
ifn_status ifn_tensors_find_embedding(const ifn_gguf *gguf, ifn_hparams *h,
                                      ifn_model_tensors *globals, ifn_error *err);

ifn_status ifn_tensors_find_globals(const ifn_gguf *gguf, const ifn_hparams *h,
                                    ifn_model_tensors *globals, ifn_error *err);

ifn_status ifn_tensors_find_layer(const ifn_gguf *gguf, const ifn_arch *arch, const ifn_hparams *h,
                                  int64_t index, ifn_layer *layer, ifn_error *err);

/* Refuses, by name, a file with a tensor that the forward pass would not read: such a model computes something else. */
ifn_status ifn_tensors_refuse_unknown(const ifn_gguf *gguf, const ifn_arch *arch,
                                      const ifn_hparams *h, ifn_error *err);

#endif
