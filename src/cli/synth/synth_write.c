#include "synth.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "row_writer.h"
#include "tensor_types.h"

/* One tensor of a model. */
typedef struct written_tensor {
    const char *name;
    int64_t rows, cols; /* rows 0: a vector */
    float center;
    double spread;
} written_tensor;

/* The function to call for each tensor in the order of the file: first one that declares it, then one that writes it.
 * */
typedef struct writing writing;
struct writing {
    const synth_model *model;
    const row_coder *coder;
    ifn_gguf_writer *writer;
    type_rules rules;
    progress *bar;
    int64_t done, total; /* elements */
    ifn_status (*visit)(writing *self, const written_tensor *entry, ifn_error *err);
};

static ifn_dtype type_of(const writing *self, const written_tensor *e)
{
    return e->rows > 0 ? type_of_matrix(&self->rules, e->name, e->cols).dtype : IFN_DTYPE_F32;
}

static ifn_status declare(writing *self, const written_tensor *e, ifn_error *err)
{
    const int64_t shape[] = {e->rows, e->cols};
    const bool is_matrix = e->rows > 0;
    self->total += e->cols * (is_matrix ? e->rows : 1);
    return ifn_gguf_writer_declare_tensor(self->writer, e->name, type_of(self, e),
                                          is_matrix ? 2 : 1, is_matrix ? shape : shape + 1, err);
}

/* The rows of one tensor, as a row_source. */
typedef struct filling {
    writing *writing;
    synth_noise noise;
    int64_t cols;
} filling;

static ifn_status fill_row(void *cookie, int64_t row, float *out)
{
    const filling *f = cookie;
    synth_fill_row(&f->noise, row, f->cols, out);
    return IFN_OK;
}

static void count_rows(void *cookie, int64_t n)
{
    const filling *f = cookie;
    f->writing->done += n * f->cols;
    progress_step(f->writing->bar, f->writing->done, f->writing->total);
}

static ifn_status write_rows(writing *self, const written_tensor *e, ifn_error *err)
{
    filling f = {.writing = self,
                 .noise = synth_noise_of(self->model->seed, e->name, e->center, e->spread),
                 .cols = e->cols};
    const row_source source = {.cookie = &f, .row = fill_row, .written = count_rows};
    const row_target target = {.coder = self->coder,
                               .file = self->writer,
                               .tensor = e->name,
                               .dtype = type_of(self, e),
                               .rows = e->rows > 0 ? e->rows : 1,
                               .cols = e->cols};
    return row_write_all(&target, &source, err);
}

/* 1 / sqrt(k) keeps the scale of activations through a product over k. */
static ifn_status visit_matrix(writing *self, const char *name, int64_t rows, int64_t cols,
                               ifn_error *err)
{
    const written_tensor e = {
        .name = name, .rows = rows, .cols = cols, .spread = 1.0 / sqrt((double)cols)};
    return self->visit(self, &e, err);
}

static ifn_status visit_vector(writing *self, const char *name, int64_t cols, float center,
                               ifn_error *err)
{
    const written_tensor e = {.name = name, .cols = cols, .center = center, .spread = 0.1};
    return self->visit(self, &e, err);
}

#define NAME(suffix) (snprintf(name, sizeof name, "blk.%" PRId64 "." suffix, layer), name)

static ifn_status visit_attention(writing *self, int64_t layer, ifn_error *err)
{
    const synth_shape *s = &self->model->shape;
    const int64_t q = s->head_count * s->key_length, kv = s->head_count_kv * s->key_length;
    char name[64];
    IFN_TRY(visit_vector(self, NAME("attn_norm.weight"), s->embedding_length, 1, err));
    IFN_TRY(visit_matrix(self, NAME("attn_q.weight"), q, s->embedding_length, err));
    IFN_TRY(visit_matrix(self, NAME("attn_k.weight"), kv, s->embedding_length, err));
    IFN_TRY(visit_matrix(self, NAME("attn_v.weight"), kv, s->embedding_length, err));
    if (self->model->arch->needs_qkv_bias) {
        IFN_TRY(visit_vector(self, NAME("attn_q.bias"), q, 0, err));
        IFN_TRY(visit_vector(self, NAME("attn_k.bias"), kv, 0, err));
        IFN_TRY(visit_vector(self, NAME("attn_v.bias"), kv, 0, err));
    }
    if (self->model->arch->has_qk_norm) {
        IFN_TRY(visit_vector(self, NAME("attn_q_norm.weight"), s->key_length, 1, err));
        IFN_TRY(visit_vector(self, NAME("attn_k_norm.weight"), s->key_length, 1, err));
    }
    return visit_matrix(self, NAME("attn_output.weight"), s->embedding_length, q, err);
}

static ifn_status visit_ffn(writing *self, int64_t layer, ifn_error *err)
{
    const synth_shape *s = &self->model->shape;
    char name[64];
    IFN_TRY(visit_vector(self, NAME("ffn_norm.weight"), s->embedding_length, 1, err));
    IFN_TRY(visit_matrix(self, NAME("ffn_gate.weight"), s->feed_forward_length, s->embedding_length,
                         err));
    IFN_TRY(visit_matrix(self, NAME("ffn_up.weight"), s->feed_forward_length, s->embedding_length,
                         err));
    return visit_matrix(self, NAME("ffn_down.weight"), s->embedding_length, s->feed_forward_length,
                        err);
#undef NAME
}

static ifn_status visit_all(writing *self, ifn_error *err)
{
    const synth_shape *s = &self->model->shape;
    IFN_TRY(visit_matrix(self, "token_embd.weight", s->vocab_size, s->embedding_length, err));
    for (int64_t i = 0; i < s->block_count; i++) {
        IFN_TRY(visit_attention(self, i, err));
        IFN_TRY(visit_ffn(self, i, err));
    }
    IFN_TRY(visit_vector(self, "output_norm.weight", s->embedding_length, 1, err));
    if (self->rules.has_output)
        return visit_matrix(self, "output.weight", s->vocab_size, s->embedding_length, err);
    return IFN_OK;
}

static ifn_status put_uint(writing *self, const char *key, int64_t value, ifn_error *err)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", self->model->arch->name, key);
    return ifn_gguf_writer_put_uint(self->writer, full, IFN_GGUF_UINT32, (uint64_t)value, err);
}

static ifn_status put_float(writing *self, const char *key, double value, ifn_error *err)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", self->model->arch->name, key);
    return ifn_gguf_writer_put_float(self->writer, full, (float)value, err);
}

static ifn_status put_shape(writing *self, ifn_error *err)
{
    const synth_shape *s = &self->model->shape;
    IFN_TRY(put_uint(self, "vocab_size", s->vocab_size, err));
    IFN_TRY(put_uint(self, "context_length", s->context_length, err));
    IFN_TRY(put_uint(self, "embedding_length", s->embedding_length, err));
    IFN_TRY(put_uint(self, "feed_forward_length", s->feed_forward_length, err));
    IFN_TRY(put_uint(self, "block_count", s->block_count, err));
    IFN_TRY(put_uint(self, "attention.head_count", s->head_count, err));
    IFN_TRY(put_uint(self, "attention.head_count_kv", s->head_count_kv, err));
    IFN_TRY(put_uint(self, "attention.key_length", s->key_length, err));
    IFN_TRY(put_uint(self, "attention.value_length", s->key_length, err));
    IFN_TRY(put_uint(self, "rope.dimension_count", s->key_length, err));
    IFN_TRY(put_float(self, "rope.freq_base", s->rope_freq_base, err));
    return put_float(self, "attention.layer_norm_rms_epsilon", s->rms_epsilon, err);
}

static ifn_status put_metadata(writing *self, ifn_error *err)
{
    const char *arch = self->model->arch->name;
    char name[64];
    const int n =
        snprintf(name, sizeof name, "synthetic %s, seed %" PRIu64, arch, self->model->seed);
    IFN_TRY(
        ifn_gguf_writer_put_string(self->writer, "general.architecture", arch, strlen(arch), err));
    IFN_TRY(ifn_gguf_writer_put_string(self->writer, "general.name", name, (size_t)n, err));
    IFN_TRY(file_type_put(self->model->type, self->writer, err));
    IFN_TRY(put_shape(self, err));
    return synth_put_tokenizer(self->writer, self->model, err);
}

static type_rules rules_for(const synth_model *self)
{
    const synth_shape *s = &self->shape;
    const char *arch = self->arch->name;
    const int64_t heads_per_kv = s->head_count / s->head_count_kv;
    return (type_rules){
        .wanted = self->type,
        .has_output = synth_is_llama(self),
        .n_layers = s->block_count,
        .heads_per_kv = heads_per_kv,
        .is_70b = type_is_70b((ifn_string){arch, strlen(arch)}, s->block_count, heads_per_kv)};
}

ifn_status synth_write(ifn_gguf_writer *writer, const synth_model *self, progress *bar,
                       ifn_error *err)
{
    row_coder coder;
    writing w = {.model = self,
                 .coder = &coder,
                 .writer = writer,
                 .rules = rules_for(self),
                 .bar = bar,
                 .visit = declare};
    IFN_TRY(put_metadata(&w, err));
    IFN_TRY(visit_all(&w, err));
    IFN_TRY(row_coder_open(&coder, 0, err));
    w.visit = write_rows;
    const ifn_status status = visit_all(&w, err);
    row_coder_close(&coder);
    return status;
}
