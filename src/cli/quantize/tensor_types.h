/*
 * Which type each tensor of a file gets, given the file type that was asked for. The rules are
 * those of llama.cpp's llama-quantize for dense models:
 *
 *  - Vectors, norms and whatever is not called a weight keep their type.
 *  - Other matrices get the type of the file type: Q4_K for Q4_K_M. The mixes raise some of those
 *    that decide about the quality: attn_v, ffn_down, attn_output (the table in tensor_types.c).
 *  - The output matrix (output.weight, or token_embd.weight where both are one) decides most: it
 *    gets Q6_K when the type is quantized and not Q8_0.
 *  - A row that is no multiple of the block falls back: Q2_K and Q3_K to Q4_0, Q4_K to Q5_0, Q5_K
 *    to Q5_1, Q6_K to Q8_0, and what still does not fit to F16.
 *  - Pure: one type for all matrices, save for those that fall back.
 */
#ifndef IFN_CLI_TENSOR_TYPES_H
#define IFN_CLI_TENSOR_TYPES_H

#include <inferno/gguf.h>
#include <stdbool.h>

#include "file_type.h"

typedef struct type_rules {
    const file_type *wanted;
    int pure;
    bool has_imatrix;     /* the first layers' ffn_down gets a minimum beside Q4_0 and Q5_0 */
    bool has_output;      /* 1: there is an output.weight beside token_embd.weight */
    int64_t n_layers;     /* block_count */
    int64_t heads_per_kv; /* head_count / head_count_kv */
    bool is_70b;          /* its attn_v is small for its size, so better types cost little */
} type_rules;

/* What a tensor gets. */
typedef struct type_choice {
    ifn_dtype dtype;
    ifn_dtype meant; /* another one: its blocks do not fit the rows, hence `dtype` */
} type_choice;

/* The rules for a file that is there: has_output and what follows, from its tensors. */
void type_rules_read(type_rules *self, const ifn_gguf *gguf);

/* 1: a model that llama.cpp takes for one of 70 B parameters, by its shape. */
int type_is_70b(ifn_string arch, int64_t n_layers, int64_t heads_per_kv);

/* 1: a matrix of weights. */
int type_may_change(const char *name, int32_t n_dims);

/* Of a tensor that may change. */
type_choice type_of_matrix(const type_rules *rules, const char *name, int64_t cols);

#endif
