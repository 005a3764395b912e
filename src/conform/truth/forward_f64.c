#include "forward_f64.h"

#include <stdbool.h>
#include <string.h>

#include <inferno/quant.h>

#include "ops_f64.h"
#include "stream.h"

/* One forward pass. Buffers of rows hold all n positions. */
typedef struct pass {
    const ifn_model *model;
    const ifn_hparams *h;
    const conform_truth_mode *mode;
    const conform_truth_sink *sink;
    bool is_q8;
    int64_t n, layer;
    double *x, *normed, *delta;   /* [n, n_embd] */
    double *q, *attended;         /* [n, n_heads * head_dim] */
    double *k, *v;                /* [n, n_kv_heads * head_dim] */
    double *gate, *up;            /* [n, n_ff] */
    double *narrowed;             /* [n, longest]: an input as Q8_32F */
    double *scores, *w_row, *row; /* [n], [longest], [longest] */
    conform_f64_scratch scratch;
    conform_stream signs;
    uint64_t n_jolts;
} pass;

static void put(const pass *p, const char *name, const double *data, int64_t cols)
{
    if (p->sink)
        p->sink->put(p->sink->cookie, p->layer, name, data, p->n, cols);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t q_dim(const ifn_hparams *h)
{
    return h->n_heads * h->head_dim;
}

static int64_t kv_dim(const ifn_hparams *h)
{
    return h->n_kv_heads * h->head_dim;
}

static int64_t longest_input(const ifn_hparams *h)
{
    return larger(larger(h->n_embd, h->n_ff), larger(q_dim(h), kv_dim(h)));
}

static double *take(double **next, int64_t rows, int64_t cols)
{
    double *const taken = *next;
    *next += rows * cols;
    return taken;
}

/* Carves the buffers out of `block`; with NULL, only counts them. */
static size_t carve(pass *p, double *block)
{
    const ifn_hparams *h = p->h;
    const int64_t longest = longest_input(h);
    const int64_t per_row =
        3 * h->n_embd + 2 * q_dim(h) + 2 * kv_dim(h) + 2 * h->n_ff + longest + 1;
    if (!block)
        return ((size_t)(p->n * per_row) + 4 * (size_t)longest) * sizeof *block;
    double *next = block;
    p->x = take(&next, p->n, h->n_embd);
    p->normed = take(&next, p->n, h->n_embd);
    p->delta = take(&next, p->n, h->n_embd);
    p->q = take(&next, p->n, q_dim(h));
    p->attended = take(&next, p->n, q_dim(h));
    p->k = take(&next, p->n, kv_dim(h));
    p->v = take(&next, p->n, kv_dim(h));
    p->gate = take(&next, p->n, h->n_ff);
    p->up = take(&next, p->n, h->n_ff);
    p->narrowed = take(&next, p->n, longest);
    p->scores = take(&next, p->n, 1);
    p->w_row = take(&next, 1, longest);
    p->row = take(&next, 1, longest);
    p->scratch.f32 = (void *)take(&next, 1, longest);
    p->scratch.blocks = take(&next, 1, longest);
    return 0;
}

/* Sets `out` to rows of `cols` as they are after being stored as dtype; a jolt moves each value before that. */
static void narrow(pass *p, ifn_dtype dtype, const double *x, int64_t rows, int64_t cols,
                   double *out)
{
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < cols; i++) {
            const int up = p->mode->jolt != 0 && conform_bits(p->signs, p->n_jolts++) & 1;
            p->row[i] = x[r * cols + i] * (1.0 + (up ? p->mode->jolt : -p->mode->jolt));
        }
        conform_f64_narrow(dtype, p->row, cols, &p->scratch, out + r * cols);
    }
}

/* The input of linears: its rows in f64, and narrowed to Q8_32F if a weight reads that. */
typedef struct input {
    const double *exact, *narrowed;
} input;

static int reads_q8(const pass *p, const ifn_tensor *w)
{
    return p->is_q8 && ifn_dtype_is_quantized(w->dtype);
}

/* Narrows the rows once for all weights that share them, because these must see the same codes. */
static input input_of(pass *p, const double *x, const ifn_tensor *const *w, int n_w,
                      const char *name_q8)
{
    const int64_t k = w[0]->shape[1];
    int any = 0;
    for (int i = 0; i < n_w; i++)
        any |= reads_q8(p, w[i]);
    if (any) {
        narrow(p, IFN_DTYPE_Q8_32F, x, p->n, k, p->narrowed);
        put(p, name_q8, p->narrowed, k);
    }
    return (input){x, p->narrowed};
}

static void linear(pass *p, const ifn_tensor *w, const ifn_tensor *bias, input in, const char *name,
                   double *out)
{
    conform_f64_linear(w, bias, reads_q8(p, w) ? in.narrowed : in.exact, p->n, p->w_row, out);
    put(p, name, out, w->shape[0]);
}

static void norm(const pass *p, const ifn_tensor *weight, const char *name)
{
    conform_f64_rms_norm(weight, (double)p->h->rms_eps, p->x, p->n, p->h->n_embd, p->normed);
    put(p, name, p->normed, p->h->n_embd);
}

static void norm_heads(const pass *p, const ifn_tensor *weight, int64_t n_heads, const char *name,
                       double *x)
{
    const int64_t dim = p->h->head_dim;
    if (!weight)
        return;
    conform_f64_rms_norm(weight, (double)p->h->rms_eps, x, p->n * n_heads, dim, x);
    put(p, name, x, n_heads * dim);
}

static void rope(const pass *p, int64_t n_heads, const char *name, double *x)
{
    const conform_f64_rotation how = {
        .theta = p->h->rope_theta,
        .divisors = ifn_model_tensors_of(p->model)->rope_freqs,
        .pairing = p->h->rope_pairing,
        .n_heads = n_heads,
        .head_dim = p->h->head_dim,
    };
    conform_f64_rope(&how, x, p->n);
    put(p, name, x, n_heads * p->h->head_dim);
}

/* Stores heads one by one, so that a block of a narrow cache never spans two heads. */
static void store(pass *p, const char *name, double *x)
{
    const int64_t dim = p->h->head_dim;
    if (p->mode->cache != IFN_DTYPE_F32)
        narrow(p, p->mode->cache, x, p->n * p->h->n_kv_heads, dim, x);
    put(p, name, x, p->h->n_kv_heads * dim);
}

static void add_delta(const pass *p, const char *name)
{
    for (int64_t i = 0; i < p->n * p->h->n_embd; i++)
        p->x[i] += p->delta[i];
    put(p, name, p->x, p->h->n_embd);
}

static void attention_block(pass *p, const ifn_layer *t)
{
    const ifn_hparams *h = p->h;
    const ifn_tensor *const qkv[] = {t->attn_q, t->attn_k, t->attn_v};
    const conform_f64_heads heads = {h->n_heads, h->n_kv_heads, h->head_dim};
    norm(p, t->attn_norm, "attn_norm");
    input in = input_of(p, p->normed, qkv, 3, "attn_norm_q8");
    linear(p, t->attn_q, t->attn_q_bias, in, "q", p->q);
    linear(p, t->attn_k, t->attn_k_bias, in, "k", p->k);
    linear(p, t->attn_v, t->attn_v_bias, in, "v", p->v);
    norm_heads(p, t->attn_q_norm, h->n_heads, "q_norm", p->q);
    norm_heads(p, t->attn_k_norm, h->n_kv_heads, "k_norm", p->k);
    rope(p, h->n_heads, "q_rope", p->q);
    rope(p, h->n_kv_heads, "k_rope", p->k);
    store(p, "k_stored", p->k);
    store(p, "v_stored", p->v);
    conform_f64_attention(&heads, p->q, p->k, p->v, p->n, p->scores, p->attended);
    put(p, "attended", p->attended, q_dim(h));
    in = input_of(p, p->attended, &t->attn_output, 1, "attended_q8");
    linear(p, t->attn_output, NULL, in, "attn_output", p->delta);
    add_delta(p, "attn_residual");
}

static void feed_forward_block(pass *p, const ifn_layer *t)
{
    const ifn_tensor *const gate_up[] = {t->ffn_gate, t->ffn_up};
    norm(p, t->ffn_norm, "ffn_norm");
    input in = input_of(p, p->normed, gate_up, 2, "ffn_norm_q8");
    linear(p, t->ffn_gate, NULL, in, "gate", p->gate);
    linear(p, t->ffn_up, NULL, in, "up", p->up);
    conform_f64_swiglu(p->gate, p->up, p->n * p->h->n_ff, p->gate);
    put(p, "gated", p->gate, p->h->n_ff);
    in = input_of(p, p->gate, &t->ffn_down, 1, "gated_q8");
    linear(p, t->ffn_down, NULL, in, "ffn_down", p->delta);
    add_delta(p, "ffn_residual");
}

/* Embeds ids as gather_rows does, bit for bit: rows are decoded and rounded to f32. */
static ifn_status embed(const pass *p, const ifn_token *ids)
{
    const ifn_tensor *table = ifn_model_tensors_of(p->model)->token_embd;
    const int64_t cols = p->h->n_embd;
    const size_t row_bytes = ifn_dtype_row_bytes(table->dtype, cols);
    for (int64_t r = 0; r < p->n; r++) {
        const unsigned char *const row =
            (const unsigned char *)table->data + (size_t)ids[r] * row_bytes;
        IFN_TRY(ifn_dequantize_row(table->dtype, row, p->scratch.f32, cols));
        for (int64_t i = 0; i < cols; i++)
            p->x[r * cols + i] = (double)p->scratch.f32[i];
    }
    put(p, "embedding", p->x, cols);
    return IFN_OK;
}

/* Moves the rows of the requested steps to the front; the other rows are not needed any more. */
static void pick_steps(pass *p, double *rows, int64_t cols)
{
    for (int64_t i = 0; i < p->mode->n_steps; i++)
        memmove(rows + i * cols, rows + p->mode->steps[i] * cols, (size_t)cols * sizeof *rows);
}

static void head(pass *p, const ifn_tensor *output, double *logits)
{
    const int64_t cols = output->shape[1];
    const input in = input_of(p, p->normed, &output, 1, "output_norm_q8");
    if (p->mode->steps) {
        pick_steps(p, p->normed, cols);
        if (reads_q8(p, output))
            pick_steps(p, p->narrowed, cols);
        p->n = p->mode->n_steps;
    }
    linear(p, output, NULL, in, "logits", logits);
}

static ifn_status run(pass *p, const ifn_token *ids, double *logits)
{
    const ifn_model_tensors *g = ifn_model_tensors_of(p->model);
    p->layer = -1;
    IFN_TRY(embed(p, ids));
    for (p->layer = 0; p->layer < p->h->n_layers; p->layer++) {
        attention_block(p, ifn_model_layer(p->model, p->layer));
        feed_forward_block(p, ifn_model_layer(p->model, p->layer));
    }
    p->layer = -1;
    norm(p, g->output_norm, "output_norm");
    head(p, g->output, logits);
    return IFN_OK;
}

static ifn_status check(const pass *p, const ifn_token *ids, ifn_error *err)
{
    const ifn_dtype cache = p->mode->cache;
    if (p->n < 0 || p->n > CONFORM_TRUTH_MAX_IDS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "truth: %lld ids, expected 0 to %d", (long long)p->n,
                        (int)CONFORM_TRUTH_MAX_IDS);
    if (cache != IFN_DTYPE_F32 && cache != IFN_DTYPE_F16 && cache != IFN_DTYPE_Q8_0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "truth: a cache of %s, expected F32, F16 or Q8_0",
                        ifn_dtype_name(cache));
    if (p->h->head_dim % ifn_dtype_block_elements(cache) != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "truth: a cache of Q8_0 with heads of %lld, expected a multiple of 32",
                        (long long)p->h->head_dim);
    for (int64_t i = 0; i < p->n; i++)
        if (ids[i] < 0 || ids[i] >= p->h->n_vocab)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "truth: id %d at %lld, expected 0 to %lld",
                            (int)ids[i], (long long)i, (long long)p->h->n_vocab - 1);
    for (int64_t i = 0; i < p->mode->n_steps; i++)
        if (p->mode->steps[i] < (i ? p->mode->steps[i - 1] + 1 : 0) || p->mode->steps[i] >= p->n)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "truth: step %lld at %lld, expected them to rise and be below %lld",
                            (long long)p->mode->steps[i], (long long)i, (long long)p->n);
    return IFN_OK;
}

ifn_status conform_forward_f64(const ifn_model *model, const ifn_token *ids, int64_t n,
                               const conform_truth_mode *mode, const conform_truth_sink *sink,
                               const ifn_allocator *alloc, double *logits, ifn_error *err)
{
    pass p = {.model = model, .h = ifn_model_hparams(model), .mode = mode, .sink = sink, .n = n};
    IFN_TRY(check(&p, ids, err));
    p.is_q8 = mode->activations == IFN_ACTIVATIONS_Q8 ||
              (mode->activations == IFN_ACTIVATIONS_AUTO && ifn_model_is_quantized(model));
    p.signs = conform_stream_of(mode->seed, "jolt");
    if (!alloc)
        alloc = ifn_default_allocator();
    const size_t bytes = carve(&p, NULL);
    double *const block = alloc->alloc(alloc->cookie, bytes, 64);
    if (!block)
        return ifn_fail(err, IFN_ERR_NOMEM, "truth: no memory for %llu bytes, %lld ids",
                        (unsigned long long)bytes, (long long)n);
    (void)carve(&p, block);
    const ifn_status status = run(&p, ids, logits);
    alloc->free(alloc->cookie, block, bytes);
    return status == IFN_OK ? IFN_OK
                            : ifn_fail(err, status, "truth: the embedding cannot be decoded");
}
