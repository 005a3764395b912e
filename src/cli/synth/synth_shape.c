#include "synth.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

typedef struct preset {
    const char *name;
    synth_shape shape;
} preset;

/* tiny fits every storage type; the others have the shapes of the Qwen3 models of that size. */
static const preset presets[] = {
    {"tiny",
     {.vocab_size = 512,
      .context_length = 512,
      .embedding_length = 256,
      .feed_forward_length = 512,
      .block_count = 2,
      .head_count = 4,
      .head_count_kv = 2,
      .key_length = 64,
      .rope_freq_base = 10000,
      .rms_epsilon = 1e-6}},
    {"0.6b",
     {.vocab_size = 151936,
      .context_length = 40960,
      .embedding_length = 1024,
      .feed_forward_length = 3072,
      .block_count = 28,
      .head_count = 16,
      .head_count_kv = 8,
      .key_length = 128,
      .rope_freq_base = 1000000,
      .rms_epsilon = 1e-6}},
    {"1.7b",
     {.vocab_size = 151936,
      .context_length = 40960,
      .embedding_length = 2048,
      .feed_forward_length = 6144,
      .block_count = 28,
      .head_count = 16,
      .head_count_kv = 8,
      .key_length = 128,
      .rope_freq_base = 1000000,
      .rms_epsilon = 1e-6}},
};

enum { N_PRESETS = sizeof presets / sizeof *presets };

typedef struct shape_key {
    const char *key;
    size_t at;
    int64_t max; /* 0: a float */
} shape_key;

#define AT(member) offsetof(synth_shape, member)
static const shape_key shape_keys[] = {
    {"vocab_size", AT(vocab_size), 1 << 24},
    {"context_length", AT(context_length), INT32_MAX},
    {"embedding_length", AT(embedding_length), 1 << 20},
    {"feed_forward_length", AT(feed_forward_length), 1 << 20},
    {"block_count", AT(block_count), 1024},
    {"attention.head_count", AT(head_count), 4096},
    {"attention.head_count_kv", AT(head_count_kv), 4096},
    {"attention.key_length", AT(key_length), 4096},
    {"rope.freq_base", AT(rope_freq_base), 0},
    {"attention.layer_norm_rms_epsilon", AT(rms_epsilon), 0},
};
#undef AT

bool synth_is_llama(const synth_model *self)
{
    return strcmp(self->arch->name, "llama") == 0;
}

static bool equals(const char *text, size_t bytes, const char *name)
{
    return strlen(name) == bytes && memcmp(text, name, bytes) == 0;
}

ifn_status synth_parse(synth_model *self, const char *text, ifn_error *err)
{
    const size_t bytes = strcspn(text, ":");
    const char *wanted = text[bytes] == ':' ? text + bytes + 1 : "tiny";
    size_t n_archs, arch = 0;
    const ifn_arch *const archs = ifn_arch_list(&n_archs);
    int size = 0;
    while (arch < n_archs && !equals(text, bytes, archs[arch].name))
        arch++;
    while (size < N_PRESETS && strcmp(wanted, presets[size].name) != 0)
        size++;
    if (arch == n_archs)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "ARCH: found '%.*s', expected llama, qwen2 or qwen3",
                        bytes < 40 ? (int)bytes : 40, text);
    if (size == N_PRESETS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "PRESET: found '%.40s', expected tiny, 0.6b or 1.7b",
                        wanted);
    self->arch = &archs[arch];
    self->shape = presets[size].shape;
    return IFN_OK;
}

static ifn_status set_float(const char *key, const char *value, double *out, ifn_error *err)
{
    char *end;
    const double number = strtod(value, &end);
    if (*value == '\0' || *end != '\0' || !(number > 0 && number <= 1e12))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--%s: found '%.40s', expected a positive number",
                        key, value);
    *out = number;
    return IFN_OK;
}

ifn_status synth_set(synth_model *self, const char *key, const char *value, ifn_error *err)
{
    for (size_t i = 0; i < sizeof shape_keys / sizeof *shape_keys; i++) {
        const shape_key *k = &shape_keys[i];
        void *at = (char *)&self->shape + k->at;
        if (strcmp(key, k->key) == 0)
            return k->max ? args_int(key, value, 1, k->max, at, err)
                          : set_float(key, value, at, err);
    }
    return ifn_fail(err, IFN_ERR_ARGUMENT, "--%.60s: no key of a shape (see synth --help)", key);
}

ifn_status synth_check(const synth_model *self, ifn_error *err)
{
    const synth_shape *s = &self->shape;
    if (s->vocab_size < SYNTH_MIN_VOCAB)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "vocab_size: %" PRId64 ", expected at least %d",
                        s->vocab_size, SYNTH_MIN_VOCAB);
    if (s->head_count % s->head_count_kv != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "attention.head_count: %" PRId64
                        ", expected a multiple of attention.head_count_kv, %" PRId64,
                        s->head_count, s->head_count_kv);
    if (s->key_length % 2 != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "attention.key_length: %" PRId64 ", expected an even number",
                        s->key_length);
    return IFN_OK;
}
