/*
 * Chooses the type of each tensor of a file for the requested file type, by the rules of llama.cpp's
 * llama-quantize for dense models:
 *
 *  - Vectors, norms and tensors whose names do not end in "weight" keep their type.
 *  - Other matrices get the type of the file type: Q4_K for Q4_K_M. The mixes give better types to
 *    matrices that matter most for quality: attn_v, ffn_down, attn_output (the table in tensor_types.c).
 *  - The output matrix (output.weight, or token_embd.weight if they are one) matters most: it
 *    gets Q6_K if the type is quantized and not Q8_0.
 *  - If the row length is no multiple of the block, the type falls back: Q2_K and Q3_K to Q4_0, Q4_K
 *    to Q5_0, Q5_K to Q5_1, Q6_K to Q8_0, and to F16 if the rows still do not fit.
 *  - Pure: one type for all matrices, except those that fall back.
 */
#ifndef IFN_CLI_TENSOR_TYPES_H
#define IFN_CLI_TENSOR_TYPES_H

#include <inferno/gguf.h>
#include <stdbool.h>

#include "file_type.h"

typedef struct type_rules {
    const file_type *wanted;
    int pure;
    bool has_imatrix;     /* Q4_0, Q5_0: ffn_down of the first layers gets Q4_1, Q5_1 */
    bool has_output;      /* 1: there is an output.weight beside token_embd.weight */
    int64_t n_layers;     /* block_count */
    int64_t heads_per_kv; /* head_count / head_count_kv */
    bool is_70b;          /* its attn_v is small for its size, so better types cost little */
} type_rules;

/* The type chosen for a tensor. */
typedef struct type_choice {
    ifn_dtype dtype;
    ifn_dtype meant; /* the type by the rules; if it differs, its blocks do not fit the rows */
} type_choice;

/* Fills in has_output and the members after it from a file. */
void type_rules_read(type_rules *self, const ifn_gguf *gguf);

/* Returns 1 if llama.cpp takes a model of this shape for one of 70 B parameters. */
int type_is_70b(ifn_string arch, int64_t n_layers, int64_t heads_per_kv);

/* Returns 1 for a matrix of weights. */
int type_may_change(const char *name, int32_t n_dims);

/* Chooses the type of a tensor that may change. */
type_choice type_of_matrix(const type_rules *rules, const char *name, int64_t cols);

#endif
