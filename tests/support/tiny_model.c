#include "tiny_model.h"

#include <inferno/gguf_writer.h>
#include <inferno/quant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tiny_model tiny_default(const char *arch)
{
    return (tiny_model){.arch = arch,
                        .n_vocab = 61,
                        .n_embd = 64,
                        .n_ff = 96,
                        .n_layers = 2,
                        .n_heads = 4,
                        .n_kv_heads = 2,
                        .head_dim = 16,
                        .seed = 1};
}

tiny_model tiny_wide(const char *arch, ifn_dtype dtype)
{
    return (tiny_model){.arch = arch,
                        .n_vocab = 61,
                        .n_embd = 256,
                        .n_ff = 512,
                        .n_layers = 2,
                        .n_heads = 2,
                        .n_kv_heads = 1,
                        .head_dim = 128,
                        .dtype = dtype,
                        .seed = 2};
}

float tiny_random(uint64_t seed, uint64_t i)
{
    uint64_t z = (seed << 32) + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (float)((double)((z ^ z >> 31) >> 40) * 0x1p-23 - 1.0);
}

typedef struct entry {
    char name[64];
    ifn_dtype dtype;
    int32_t n_dims;
    int64_t shape[2];
    float center, spread;
} entry;

typedef struct table {
    const tiny_model *m;
    entry entries[256];
    int n;
} table;

static int is(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static void add(table *t, const char *name, int64_t rows, int64_t cols, float center, float spread)
{
    if (is(name, t->m->without))
        return;
    entry *e = &t->entries[t->n++];
    *e = (entry){.dtype = IFN_DTYPE_F32, .center = center, .spread = spread};
    snprintf(e->name, sizeof e->name, "%s", name);
    e->n_dims = rows ? 2 : 1;
    e->shape[0] = rows ? rows : cols;
    e->shape[1] = cols;
    if (rows && ifn_dtype_row_bytes(t->m->dtype, cols))
        e->dtype = t->m->dtype;
    if (rows && t->m->kv_dtype && strstr(name, "attn_k."))
        e->dtype = t->m->kv_dtype;
    if (is(name, t->m->as_f16))
        e->dtype = IFN_DTYPE_F16;
    if (is(name, t->m->misshaped))
        e->shape[0]++;
}

static void add_matrix(table *t, const char *name, int64_t rows, int64_t cols)
{
    add(t, name, rows, cols, 0.0f, 1.7f / sqrtf((float)cols));
}

static void add_layer(table *t, int64_t layer)
{
    const tiny_model *m = t->m;
    const int64_t q = m->n_heads * m->head_dim, kv = m->n_kv_heads * m->head_dim;
    char name[64];
#define NAME(suffix) (snprintf(name, sizeof name, "blk.%d." suffix, (int)layer), name)
    add(t, NAME("attn_norm.weight"), 0, m->n_embd, 1.0f, 0.2f);
    add_matrix(t, NAME("attn_q.weight"), q, m->n_embd);
    add_matrix(t, NAME("attn_k.weight"), kv, m->n_embd);
    add_matrix(t, NAME("attn_v.weight"), kv, m->n_embd);
    if (is(m->arch, "qwen2")) {
        add(t, NAME("attn_q.bias"), 0, q, 0.0f, 0.3f);
        add(t, NAME("attn_k.bias"), 0, kv, 0.0f, 0.3f);
        add(t, NAME("attn_v.bias"), 0, kv, 0.0f, 0.3f);
    }
    if (is(m->arch, "qwen3")) {
        add(t, NAME("attn_q_norm.weight"), 0, m->head_dim, 1.0f, 0.2f);
        add(t, NAME("attn_k_norm.weight"), 0, m->head_dim, 1.0f, 0.2f);
    }
    add_matrix(t, NAME("attn_output.weight"), m->n_embd, q);
    add(t, NAME("ffn_norm.weight"), 0, m->n_embd, 1.0f, 0.2f);
    add_matrix(t, NAME("ffn_gate.weight"), m->n_ff, m->n_embd);
    add_matrix(t, NAME("ffn_up.weight"), m->n_ff, m->n_embd);
    add_matrix(t, NAME("ffn_down.weight"), m->n_embd, m->n_ff);
#undef NAME
}

static void list_tensors(table *t)
{
    const tiny_model *m = t->m;
    add(t, "token_embd.weight", m->n_vocab, m->n_embd, 0.0f, 1.0f);
    for (int64_t i = 0; i < m->n_layers; i++)
        add_layer(t, i);
    add(t, "output_norm.weight", 0, m->n_embd, 1.0f, 0.2f);
    if (!m->tied)
        add_matrix(t, "output.weight", m->n_vocab, m->n_embd);
    if (m->rope_freqs)
        add(t, "rope_freqs.weight", 0, m->head_dim / 2, 4.0f, 3.0f);
    if (m->extra)
        add(t, m->extra, 0, 1, 0.0f, 1.0f);
}

static void must(ifn_status status, const ifn_error *err)
{
    if (status != IFN_OK) {
        fprintf(stderr, "tiny model: %s\n", err->text);
        abort();
    }
}

static void put_uint(ifn_gguf_writer *w, const tiny_model *m, const char *suffix, int64_t value)
{
    char key[96];
    ifn_error err;
    snprintf(key, sizeof key, "%s.%s", m->arch, suffix);
    if (is(suffix, m->without) || is(suffix, m->uint_key) || is(suffix, m->string_key) ||
        is(suffix, m->float_key))
        return;
    must(ifn_gguf_writer_put_uint(w, key, IFN_GGUF_UINT32, (uint64_t)value, &err), &err);
}

static void put_overrides(ifn_gguf_writer *w, const tiny_model *m)
{
    char key[96];
    ifn_error err;
    if (m->uint_key) {
        snprintf(key, sizeof key, "%s.%s", m->arch, m->uint_key);
        must(ifn_gguf_writer_put_uint(w, key, IFN_GGUF_UINT32, m->uint_value, &err), &err);
    }
    if (m->string_key) {
        snprintf(key, sizeof key, "%s.%s", m->arch, m->string_key);
        must(ifn_gguf_writer_put_string(w, key, m->string_value, strlen(m->string_value), &err),
             &err);
    }
    if (m->float_key) {
        snprintf(key, sizeof key, "%s.%s", m->arch, m->float_key);
        must(ifn_gguf_writer_put_float(w, key, m->float_value, &err), &err);
    }
}

static void put_metadata(ifn_gguf_writer *w, const tiny_model *m)
{
    char key[96];
    ifn_error err;
    if (!is("general.architecture", m->without))
        must(ifn_gguf_writer_put_string(w, "general.architecture", m->arch, strlen(m->arch), &err),
             &err);
    put_uint(w, m, "context_length", 600);
    put_uint(w, m, "embedding_length", m->n_embd);
    put_uint(w, m, "feed_forward_length", m->n_ff);
    put_uint(w, m, "block_count", m->n_layers);
    put_uint(w, m, "attention.head_count", m->n_heads);
    put_uint(w, m, "attention.head_count_kv", m->n_kv_heads);
    put_uint(w, m, "attention.key_length", m->head_dim);
    put_uint(w, m, "attention.value_length", m->head_dim);
    if (!is("attention.layer_norm_rms_epsilon", m->without) &&
        !is("attention.layer_norm_rms_epsilon", m->float_key)) {
        snprintf(key, sizeof key, "%s.attention.layer_norm_rms_epsilon", m->arch);
        must(ifn_gguf_writer_put_float(w, key, 1e-6f, &err), &err);
    }
    put_overrides(w, m);
}

static void write_entry(ifn_gguf_writer *w, const tiny_model *m, const entry *e, uint64_t index)
{
    const int64_t cols = e->shape[e->n_dims - 1], rows = e->n_dims == 2 ? e->shape[0] : 1;
    const size_t row_bytes = ifn_dtype_row_bytes(e->dtype, cols);
    float *values = malloc((size_t)cols * sizeof *values);
    void *row = malloc(row_bytes);
    ifn_error err;
    if (!values || !row)
        abort();
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < cols; c++)
            values[c] = e->center +
                        e->spread * tiny_random(m->seed * 1000 + index, (uint64_t)(r * cols + c));
        if (ifn_quantize_row(e->dtype, values, row, cols) != IFN_OK)
            abort();
        must(ifn_gguf_writer_write_data(w, row, row_bytes, &err), &err);
    }
    free(values);
    free(row);
}

void tiny_write(const tiny_model *m, const char *path)
{
    static table t;
    ifn_gguf_writer *w;
    ifn_error err;
    t = (table){.m = m};
    list_tensors(&t);
    must(ifn_gguf_writer_open(path, 32, NULL, &w, &err), &err);
    put_metadata(w, m);
    for (int i = 0; i < t.n; i++)
        must(ifn_gguf_writer_declare_tensor(w, t.entries[i].name, t.entries[i].dtype,
                                            t.entries[i].n_dims, t.entries[i].shape, &err),
             &err);
    for (int i = 0; i < t.n; i++)
        write_entry(w, m, &t.entries[i], (uint64_t)i);
    must(ifn_gguf_writer_finish(w, &err), &err);
    ifn_gguf_writer_close(w);
}
