/*
 * Which type each tensor of a file gets, given the one that was asked for. The rules are those of
 * llama.cpp's llama-quantize, without its mixes:
 *
 *  - Vectors, norms and whatever is not called a weight keep their type.
 *  - Other matrices get the type asked for.
 *  - The output matrix (output.weight, or token_embd.weight where both are one) decides most about
 *    the quality: it gets Q6_K when the type asked for is quantized and not Q8_0. --pure: no
 *    exception.
 *  - A row that is no multiple of the block falls back: Q2_K and Q3_K to Q4_0 (llama-quantize: to
 *    IQ4_NL, which does not exist here), Q4_K to Q5_0, Q5_K to Q5_1, Q6_K to Q8_0, and what still
 *    does not fit to F16.
 */
#ifndef IFN_CLI_TENSOR_TYPES_H
#define IFN_CLI_TENSOR_TYPES_H

#include <stdint.h>

#include <inferno/dtype.h>
#include <inferno/gguf_writer.h>

typedef struct type_rules {
    ifn_dtype wanted;
    int pure;
    int has_output; /* 1: there is an output.weight beside token_embd.weight */
} type_rules;

/* 1: a matrix of weights. */
int type_may_change(const char *name, int32_t n_dims);

/* Of a tensor that may change. */
ifn_dtype type_of_matrix(const type_rules *rules, const char *name, int64_t cols);

/* What general.file_type says of a file made for this type. */
uint32_t type_file_number(ifn_dtype wanted);

/* A type that stands in files, by name: "q4_k". Errors  IFN_ERR_ARGUMENT with the list */
ifn_status type_parse(const char *what, const char *name, ifn_dtype *out, ifn_error *err);

/* Writes general.file_type, and what goes with it. */
ifn_status type_put_keys(ifn_gguf_writer *writer, ifn_dtype wanted, ifn_error *err);

#endif
