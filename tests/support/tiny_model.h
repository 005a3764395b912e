/* Small models with seeded random weights, intact or with one defect, for tests of the road (road.h). */
#ifndef IFN_TINY_MODEL_H
#define IFN_TINY_MODEL_H

#include <stdint.h>

#include <inferno/dtype.h>

typedef struct tiny_model {
    const char *arch; /* "llama", "qwen2", "qwen3" */
    int64_t n_vocab, n_embd, n_ff, n_layers, n_heads, n_kv_heads, head_dim;
    ifn_dtype dtype;    /* of matrices whose rows are whole blocks; the others are F32 */
    ifn_dtype kv_dtype; /* of attn_k alone, if not F32: makes a group of mixed dtypes */
    int tied;           /* no output.weight */
    int rope_freqs;
    uint64_t seed;
    /* defects and additions; NULL or 0: none */
    const char *without;   /* a tensor or key that is left out */
    const char *misshaped; /* a tensor that gets one row more */
    const char *as_f16;    /* a tensor stored as F16 */
    const char *extra;     /* one more F32 tensor [1] of this name */
    const char *uint_key;  /* a key written as u32 with ... */
    uint32_t uint_value;
    const char *string_key; /* a key written as a string with ... */
    const char *string_value;
    const char *float_key;
    float float_value;
} tiny_model;

/* 2 layers, 4 heads over 2 KV heads of 16, embedding 64, feed-forward 96, 61 tokens. */
tiny_model tiny_default(const char *arch);

/* Every dimension a multiple of 256, so that every dtype fits: embedding 256, 2 heads of 128. */
tiny_model tiny_wide(const char *arch, ifn_dtype dtype);

/* Writes the model; aborts if it cannot. */
void tiny_write(const tiny_model *m, const char *path);

/* The i-th number of the seed's stream of floats in [-1, 1). */
float tiny_random(uint64_t seed, uint64_t i);

#endif
