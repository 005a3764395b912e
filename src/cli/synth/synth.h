/*
 * Models with random weights, in any shape: for benchmarks and tests without a download. Weights
 * come from a hash of the seed, the tensor's name and the position, in integer arithmetic up to one
 * multiplication: the same file on every machine.
 */
#ifndef IFN_CLI_SYNTH_H
#define IFN_CLI_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/gguf_writer.h>
#include <inferno/model.h>

#include "file_type.h"
#include "progress.h"

typedef struct synth_shape {
    int64_t vocab_size, context_length, embedding_length, feed_forward_length, block_count;
    int64_t head_count, head_count_kv, key_length;
    double rope_freq_base, rms_epsilon;
} synth_shape;

typedef struct synth_model {
    const ifn_arch *arch; /* static */
    synth_shape shape;
    const file_type *type; /* of each matrix as tensor_types.h says */
    uint64_t seed;
} synth_model;

/* "qwen3", "qwen3:0.6b"; without a preset: tiny. Sets arch and shape. */
ifn_status synth_parse(synth_model *self, const char *text, ifn_error *err);

/* One key of the shape, without the architecture prefix: "attention.head_count". */
ifn_status synth_set(synth_model *self, const char *key, const char *value, ifn_error *err);

/* What must hold between the numbers. */
ifn_status synth_check(const synth_model *self, ifn_error *err);

/* Models of llama have an output matrix and a tokenizer of their own; in small models of the other
 * architectures the embedding is the output matrix. */
bool synth_is_llama(const synth_model *self);

/* Tokens: 256 bytes, <|end|>, <|begin|>, and fillers that no text can spell. */
enum { SYNTH_END = 256, SYNTH_BEGIN = 257, SYNTH_MIN_VOCAB = 258 };
ifn_status synth_put_tokenizer(ifn_gguf_writer *writer, const synth_model *self, ifn_error *err);

/* Metadata, tokenizer and tensors; the caller finishes the file. */
ifn_status synth_write(ifn_gguf_writer *writer, const synth_model *self, progress *bar,
                       ifn_error *err);

/* Row `row` of a tensor: center + spread * z, z with mean 0 and variance 1, nearly normal. */
typedef struct synth_noise {
    uint64_t key;
    float center, spread;
} synth_noise;

synth_noise synth_noise_of(uint64_t seed, const char *tensor, float center, double spread);
void synth_fill_row(const synth_noise *noise, int64_t row, int64_t cols, float *out);

#endif
