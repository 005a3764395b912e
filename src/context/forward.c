/*
 * Start reading here: a transformer as a sequence of fused ops.
 *
 *   x = embedding of the ids
 *   each block:  x += W_o attention(rope(norm(W_q h)), rope(norm(W_k h)), W_v h),  h = rms_norm(x)
 *                x += W_down swiglu(W_gate h, W_up h),                             h = rms_norm(x)
 *   logits = W_output rms_norm(x)
 *
 * The rms_norm that reads x next also computes the sum x += delta.
 */
#include "context_priv.h"

#include <math.h>
#include <stdbool.h>

/* The input of a linear op in the formats that its weights read: f32, Q8_32F, or both in a mixed group. */
typedef struct input {
    const float *f32;
    ifn_block_q8_32f *q8;
    int64_t rows, k;
} input;

static bool reads_q8(const ifn_context *self, const ifn_weight *w)
{
    return self->plan.params.activations == IFN_ACTIVATIONS_Q8 &&
           ifn_dtype_is_quantized(w->raw->dtype);
}

static int64_t count_q8(const ifn_context *self, const ifn_weight_group *group)
{
    int64_t n = 0;
    for (int64_t i = 0; i < group->n; i++)
        n += reads_q8(self, &group->w[i]);
    return n;
}

/* The dtype in which the op before a group should write its output: Q8_32F only if no weight reads f32. */
static ifn_dtype input_dtype(const ifn_context *self, const ifn_weight_group *group)
{
    return count_q8(self, group) == group->n ? IFN_DTYPE_Q8_32F : IFN_DTYPE_F32;
}

static ifn_status linear_f32(ifn_context *self, const ifn_weight_group *group, const input *in,
                             float *const *out)
{
    ifn_linear_args a = {
        .call = IFN_CALL_OF(self, ifn_linear_args, 1),
        .x = in->f32,
        .rows = in->rows,
        .k = in->k,
        .x_stride = in->k,
    };
    for (int64_t i = 0; i < group->n; i++) {
        const ifn_weight *w = &group->w[i];
        if (reads_q8(self, w))
            continue;
        a.w[a.n_w] = w->raw;
        a.packed[a.n_w] = w->handle[IFN_WEIGHT_LINEAR];
        a.out[a.n_w] = out[i];
        a.bias[a.n_w] = w->bias;
        a.out_stride[a.n_w++] = w->raw->shape[0];
    }
    return a.n_w == 0 ? IFN_OK : ifn_context_ran(self, "linear", ifn_linear(self->backend, &a));
}

static ifn_status linear_q8(ifn_context *self, const ifn_weight_group *group, const input *in,
                            float *const *out)
{
    ifn_linear_q8_args a = {
        .call = IFN_CALL_OF(self, ifn_linear_q8_args, 1),
        .x = in->q8,
        .rows = in->rows,
        .k = in->k,
        .x_stride = in->k / 32,
    };
    for (int64_t i = 0; i < group->n; i++) {
        const ifn_weight *w = &group->w[i];
        if (!reads_q8(self, w))
            continue;
        a.w[a.n_w] = w->raw;
        a.packed[a.n_w] = w->handle[IFN_WEIGHT_LINEAR_Q8];
        a.out[a.n_w] = out[i];
        a.bias[a.n_w] = w->bias;
        a.out_stride[a.n_w++] = w->raw->shape[0];
    }
    return a.n_w == 0 ? IFN_OK
                      : ifn_context_ran(self, "linear_q8", ifn_linear_q8(self->backend, &a));
}

/* out_i = in W_i^T (+ bias_i) for every weight of the group; the first result is point `first`. The
 * input has the dtype that input_dtype returns. */
static ifn_status linear(ifn_context *self, ifn_point first, const ifn_weight_group *group,
                         const input *in, float *const *out)
{
    const int64_t n_q8 = count_q8(self, group);
    if (n_q8 > 0 && n_q8 < group->n)
        IFN_TRY(IFN_RUN(self, quantize_rows, .out = in->q8, .x = in->f32, .rows = in->rows,
                        .cols = in->k, .out_dtype = IFN_DTYPE_Q8_32F));
    ifn_context_at(self, first);
    IFN_TRY(linear_f32(self, group, in, out));
    return linear_q8(self, group, in, out);
}

/* x += delta (may be NULL), then writes the normed rows, in the dtype that `group` reads, to b.normed or
 * b.normed_q8 from row `at` on. */
static ifn_status norm_for(ifn_context *self, ifn_point point, const float *weight,
                           const float *delta, int64_t rows, float *x,
                           const ifn_weight_group *group, int64_t at)
{
    const ifn_dtype dtype = input_dtype(self, group);
    const int64_t n_embd = self->h->n_embd;
    ifn_context_at(self, point);
    return IFN_RUN(self, rms_norm,
                   .out = dtype == IFN_DTYPE_F32 ? (void *)(self->b.normed + at * n_embd)
                                                 : (void *)(self->b.normed_q8 + at * (n_embd / 32)),
                   .sum = delta ? x : NULL, .x = x, .add = delta, .weight = weight, .rows = rows,
                   .dim = n_embd, .eps = self->h->rms_eps, .out_dtype = dtype);
}

static ifn_status norm_heads(ifn_context *self, ifn_point point, const float *weight, float *x,
                             int64_t rows)
{
    if (!weight)
        return IFN_OK;
    ifn_context_at(self, point);
    return IFN_RUN(self, rms_norm, .out = x, .x = x, .weight = weight, .rows = rows,
                   .dim = self->h->head_dim, .eps = self->h->rms_eps, .out_dtype = IFN_DTYPE_F32);
}

static ifn_status rope(ifn_context *self, ifn_point point, float *x, int64_t rows, int64_t n_heads)
{
    ifn_context_at(self, point);
    return IFN_RUN(self, apply_rope, .out = x, .x = x, .table = self->b.rope, .rows = rows,
                   .n_heads = n_heads, .head_dim = self->h->head_dim,
                   .pairing = self->h->rope_pairing);
}

static ifn_status attend(ifn_context *self, const ifn_pass *pass, int64_t layer)
{
    const ifn_hparams *h = self->h;
    ifn_buffers *b = &self->b;
    const int64_t n_pages = ifn_kv_cache_entries(&b->kv, self->plan.params.n_sequences);
    ifn_context_at(self, IFN_POINT_V_STORED);
    IFN_TRY(IFN_RUN(self, kv_store, .k_cache = ifn_kv_cache_k(&b->kv, layer),
                    .v_cache = ifn_kv_cache_v(&b->kv, layer), .k = b->k, .v = b->v,
                    .rows = pass->rows, .first_pos = pass->first_pos, .max_pos = b->kv.max_pos,
                    .n_kv_heads = h->n_kv_heads, .head_dim = h->head_dim,
                    .cache_dtype = b->kv.dtype, .spans = pass->spans, .n_spans = pass->n_spans,
                    .pages = self->host.pages, .n_pages = n_pages, .page_rows = b->kv.page_rows));
    ifn_context_at(self, IFN_POINT_ATTENDED);
    return IFN_RUN(
        self, attention, .out = b->attended, .q = b->q, .k_cache = ifn_kv_cache_k(&b->kv, layer),
        .v_cache = ifn_kv_cache_v(&b->kv, layer), .rows = pass->rows, .first_pos = pass->first_pos,
        .max_pos = b->kv.max_pos, .n_heads = h->n_heads, .n_kv_heads = h->n_kv_heads,
        .head_dim = h->head_dim, .scale = 1.0f / sqrtf((float)h->head_dim),
        .cache_dtype = b->kv.dtype, .spans = pass->spans, .n_spans = pass->n_spans,
        .pages = self->host.pages, .n_pages = n_pages, .page_rows = b->kv.page_rows);
}

static ifn_status attention_block(ifn_context *self, const ifn_pass *pass, int64_t layer,
                                  const float *delta)
{
    const ifn_hparams *h = self->h;
    const ifn_layer_weights *w = &self->weights->layers[layer];
    ifn_buffers *b = &self->b;
    const int64_t q_dim = h->n_heads * h->head_dim;

    IFN_TRY(norm_for(self, IFN_POINT_ATTN_NORM, w->attn_norm, delta, pass->rows, b->x, &w->qkv, 0));
    IFN_TRY(linear(self, IFN_POINT_Q, &w->qkv,
                   &(input){b->normed, b->normed_q8, pass->rows, h->n_embd},
                   (float *[IFN_LINEAR_MAX]){b->q, b->k, b->v}));
    IFN_TRY(norm_heads(self, IFN_POINT_Q_NORM, w->attn_q_norm, b->q, pass->rows * h->n_heads));
    IFN_TRY(norm_heads(self, IFN_POINT_K_NORM, w->attn_k_norm, b->k, pass->rows * h->n_kv_heads));
    IFN_TRY(rope(self, IFN_POINT_Q_ROPE, b->q, pass->rows, h->n_heads));
    IFN_TRY(rope(self, IFN_POINT_K_ROPE, b->k, pass->rows, h->n_kv_heads));
    IFN_TRY(attend(self, pass, layer));
    if (input_dtype(self, &w->attn_output) == IFN_DTYPE_Q8_32F)
        IFN_TRY(IFN_RUN(self, quantize_rows, .out = b->attended_q8, .x = b->attended,
                        .rows = pass->rows, .cols = q_dim, .out_dtype = IFN_DTYPE_Q8_32F));
    return linear(self, IFN_POINT_ATTN_OUTPUT, &w->attn_output,
                  &(input){b->attended, b->attended_q8, pass->rows, q_dim},
                  (float *[IFN_LINEAR_MAX]){b->delta});
}

static ifn_status feed_forward_block(ifn_context *self, const ifn_pass *pass, int64_t layer)
{
    const ifn_hparams *h = self->h;
    const ifn_layer_weights *w = &self->weights->layers[layer];
    ifn_buffers *b = &self->b;
    const ifn_dtype gated = input_dtype(self, &w->ffn_down);

    IFN_TRY(norm_for(self, IFN_POINT_FFN_NORM, w->ffn_norm, b->delta, pass->rows, b->x, &w->gate_up,
                     0));
    IFN_TRY(linear(self, IFN_POINT_GATE, &w->gate_up,
                   &(input){b->normed, b->normed_q8, pass->rows, h->n_embd},
                   (float *[IFN_LINEAR_MAX]){b->gate, b->up}));
    ifn_context_at(self, IFN_POINT_GATED);
    IFN_TRY(IFN_RUN(
        self, swiglu, .out = gated == IFN_DTYPE_F32 ? (void *)b->gate : (void *)b->gated_q8,
        .gate = b->gate, .up = b->up, .rows = pass->rows, .dim = h->n_ff, .out_dtype = gated));
    return linear(self, IFN_POINT_FFN_DOWN, &w->ffn_down,
                  &(input){b->gate, b->gated_q8, pass->rows, h->n_ff},
                  (float *[IFN_LINEAR_MAX]){b->delta});
}

ifn_status ifn_forward_fused(ifn_context *self, const ifn_pass *pass)
{
    ifn_buffers *b = &self->b;
    const ifn_weight *embd = &self->weights->token_embd.w[0];
    self->layer = -1;
    ifn_context_at(self, IFN_POINT_EMBEDDING);
    IFN_TRY(IFN_RUN(self, gather_rows, .out = b->x, .table = embd->raw,
                    .packed = embd->handle[IFN_WEIGHT_GATHER_ROWS], .ids = b->ids,
                    .n = pass->rows));
    for (int64_t layer = 0; layer < self->h->n_layers; layer++) {
        self->layer = (int16_t)layer;
        IFN_TRY(attention_block(self, pass, layer, layer == 0 ? NULL : b->delta));
        IFN_TRY(feed_forward_block(self, pass, layer));
    }
    return IFN_OK;
}

ifn_status ifn_norm_for_logits(ifn_context *self, int64_t first, int64_t n, int64_t at)
{
    const int64_t skipped = first * self->h->n_embd;
    self->layer = -1;
    return norm_for(self, IFN_POINT_OUTPUT_NORM, self->weights->output_norm,
                    self->b.delta + skipped, n, self->b.x + skipped, &self->weights->output, at);
}

ifn_status ifn_logits_of_normed(ifn_context *self, int64_t n, int64_t to)
{
    ifn_buffers *b = &self->b;
    self->layer = -1;
    return linear(self, IFN_POINT_LOGITS, &self->weights->output,
                  &(input){b->normed, b->normed_q8, n, self->h->n_embd},
                  (float *[IFN_LINEAR_MAX]){b->logits + to * self->h->n_vocab});
}
