/*
 * Makes models with random weights in any shape, for benchmarks and tests without a download. A weight is a hash of
 * seed, tensor name and position, in integer arithmetic except for one last multiplication, so the file is the same
 * on every machine.
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

/* Parses "qwen3" (the preset tiny) or "qwen3:0.6b". Sets arch and shape. */
ifn_status synth_parse(synth_model *self, const char *text, ifn_error *err);

/* Sets one key of the shape, named without the architecture prefix: "attention.head_count". */
ifn_status synth_set(synth_model *self, const char *key, const char *value, ifn_error *err);

/* Checks that the numbers of the shape fit each other. */
ifn_status synth_check(const synth_model *self, ifn_error *err);

/* Returns true for llama: its models have an output matrix and their own kind of tokenizer; in small models of the
 * other architectures the embedding is also the output matrix. */
bool synth_is_llama(const synth_model *self);

/* Tokens of the vocabulary: 256 bytes, <|end|>, <|begin|>, and fillers that no text contains. */
enum { SYNTH_END = 256, SYNTH_BEGIN = 257, SYNTH_MIN_VOCAB = 258 };
ifn_status synth_put_tokenizer(ifn_gguf_writer *writer, const synth_model *self, ifn_error *err);

/* Writes metadata, tokenizer and tensors; the caller finishes the file. */
ifn_status synth_write(ifn_gguf_writer *writer, const synth_model *self, progress *bar,
                       ifn_error *err);

/* The distribution of a tensor: center + spread * z, z nearly normal with mean 0 and variance 1. synth_fill_row makes a
 * row of it. */
typedef struct synth_noise {
    uint64_t key;
    float center, spread;
} synth_noise;

synth_noise synth_noise_of(uint64_t seed, const char *tensor, float center, double spread);
void synth_fill_row(const synth_noise *noise, int64_t row, int64_t cols, float *out);

#endif
