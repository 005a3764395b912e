/*
 * The same transformer as in forward.c, in primitive ops only, so that a trace shows each step of the
 * textbook formulas. Weights are f32 [k, n]: ifn_weights makes these copies when it opens.
 */
#include "context_priv.h"

#include <math.h>

/* out = x W (+ bias) */
static ifn_status project(ifn_context *self, ifn_point point, const ifn_weight *w, const float *x,
                          int64_t rows, float *out)
{
    const int64_t n = w->raw->shape[0];
    ifn_context_at(self, point);
    IFN_TRY(IFN_RUN_AS(self, w->bias == NULL, matmul, .out = out, .a = x, .b = w->transposed,
                       .m = rows, .n = w->raw->shape[1], .p = n));
    if (!w->bias)
        return IFN_OK;
    IFN_TRY(IFN_STEP(self, repeat_row_as_matrix, .out = self->b.row_a, .x = w->bias, .rows = rows,
                     .dim = n));
    return IFN_RUN(self, add, .out = out, .x = out, .y = self->b.row_a, .n = rows * n);
}

/* out = x / sqrt(mean(x^2) + eps) * weight, row by row; out may equal x */
static ifn_status norm(ifn_context *self, ifn_point point, const float *weight, const float *x,
                       int64_t rows, int64_t dim, float *out)
{
    ifn_buffers *b = &self->b;
    ifn_context_at(self, point);
    IFN_TRY(IFN_STEP(self, sum_squares_axis, .out = b->scalars, .x = x, .rows = rows, .cols = dim,
                     .axis = 1));
    IFN_TRY(IFN_STEP(self, scale, .out = b->scalars, .x = b->scalars, .value = 1.0f / (float)dim,
                     .n = rows));
    IFN_TRY(IFN_STEP(self, add_scalar, .out = b->scalars, .x = b->scalars,
                     .value = self->h->rms_eps, .n = rows));
    IFN_TRY(IFN_STEP(self, rsqrt_elem, .out = b->scalars, .x = b->scalars, .n = rows));
    IFN_TRY(IFN_STEP(self, broadcast_row_scalars, .out = b->row_a, .x = b->scalars, .rows = rows,
                     .dim = dim));
    IFN_TRY(IFN_STEP(self, repeat_row_as_matrix, .out = b->row_b, .x = weight, .rows = rows,
                     .dim = dim));
    IFN_TRY(IFN_STEP(self, hadamard, .out = out, .x = x, .y = b->row_a, .n = rows * dim));
    return IFN_RUN(self, hadamard, .out = out, .x = out, .y = b->row_b, .n = rows * dim);
}

/* Each head is a row of its own for its norm. */
static ifn_status norm_heads(ifn_context *self, ifn_point point, const float *weight, float *x,
                             int64_t rows, int64_t n_heads)
{
    const int64_t head_dim = self->h->head_dim;
    if (!weight)
        return IFN_OK;
    ifn_context_at(self, point);
    IFN_TRY(IFN_STEP(self, reshape_data, .out = x, .x = x, .rows = rows, .cols = n_heads * head_dim,
                     .out_rows = rows * n_heads, .out_cols = head_dim));
    IFN_TRY(norm(self, point, weight, x, rows * n_heads, head_dim, x));
    return IFN_STEP(self, reshape_data, .out = x, .x = x, .rows = rows * n_heads, .cols = head_dim,
                    .out_rows = rows, .out_cols = n_heads * head_dim);
}

static ifn_status rope(ifn_context *self, ifn_point point, float *x, int64_t rows, int64_t n_heads)
{
    ifn_context_at(self, point);
    if (rows == 1)
        return IFN_RUN(self, apply_rope_single_row, .out = x, .x = x, .table = self->b.rope,
                       .n_heads = n_heads, .head_dim = self->h->head_dim,
                       .pairing = self->h->rope_pairing);
    return IFN_RUN(self, apply_rope, .out = x, .x = x, .table = self->b.rope, .rows = rows,
                   .n_heads = n_heads, .head_dim = self->h->head_dim,
                   .pairing = self->h->rope_pairing);
}

/* Appends new rows of K or V to those of earlier passes; the cache is [max_pos, kv_dim]. */
static ifn_status append(ifn_context *self, ifn_point point, const ifn_pass *pass, float *cache,
                         const float *rows)
{
    const int64_t kv_dim = self->h->n_kv_heads * self->h->head_dim;
    ifn_context_at(self, point);
    return IFN_RUN(self, copy_contiguous_into, .out = cache, .x = rows, .n = pass->rows * kv_dim,
                   .out_n = self->b.kv.max_pos * kv_dim, .out_offset = pass->first_pos * kv_dim);
}

/* One query head: softmax(mask(scale * q k^T)) v */
static ifn_status attend_head(ifn_context *self, const ifn_pass *pass, int64_t layer, int64_t head)
{
    const ifn_hparams *h = self->h;
    ifn_buffers *b = &self->b;
    const int64_t rows = pass->rows, n_keys = pass->first_pos + rows, head_dim = h->head_dim;
    const int64_t q_dim = h->n_heads * head_dim, kv_dim = h->n_kv_heads * head_dim;
    const int64_t kv_col = head * h->n_kv_heads / h->n_heads * head_dim;

    IFN_TRY(IFN_STEP(self, copy_2d_from_cols, .out = b->head_q, .x = b->q, .rows = rows,
                     .cols = head_dim, .x_cols = q_dim, .col_begin = head * head_dim));
    IFN_TRY(IFN_STEP(self, copy_2d_from_cols, .out = b->head_kv, .x = ifn_kv_cache_k(&b->kv, layer),
                     .rows = n_keys, .cols = head_dim, .x_cols = kv_dim, .col_begin = kv_col));
    IFN_TRY(IFN_STEP(self, transpose_2d, .out = b->head_kt, .x = b->head_kv, .rows = n_keys,
                     .cols = head_dim));
    IFN_TRY(IFN_STEP(self, matmul, .out = b->scores, .a = b->head_q, .b = b->head_kt, .m = rows,
                     .n = head_dim, .p = n_keys));
    IFN_TRY(IFN_STEP(self, scale, .out = b->scores, .x = b->scores,
                     .value = 1.0f / sqrtf((float)head_dim), .n = rows * n_keys));
    IFN_TRY(IFN_STEP(self, fill_strict_upper_tri, .x = b->scores, .value = -INFINITY, .rows = rows,
                     .cols = n_keys, .offset = pass->first_pos));
    IFN_TRY(IFN_STEP(self, softmax_rows, .out = b->scores, .x = b->scores, .rows = rows,
                     .cols = n_keys));
    IFN_TRY(IFN_STEP(self, copy_2d_from_cols, .out = b->head_kv, .x = ifn_kv_cache_v(&b->kv, layer),
                     .rows = n_keys, .cols = head_dim, .x_cols = kv_dim, .col_begin = kv_col));
    IFN_TRY(IFN_STEP(self, matmul, .out = b->head_out, .a = b->scores, .b = b->head_kv, .m = rows,
                     .n = n_keys, .p = head_dim));
    return IFN_RUN_AS(self, head == h->n_heads - 1, copy_2d_into_cols, .out = b->attended,
                      .x = b->head_out, .rows = rows, .cols = head_dim, .out_cols = q_dim,
                      .col_begin = head * head_dim);
}

static ifn_status attention_block(ifn_context *self, const ifn_pass *pass, int64_t layer)
{
    const ifn_hparams *h = self->h;
    const ifn_layer_weights *w = &self->weights->layers[layer];
    ifn_buffers *b = &self->b;
    const int64_t rows = pass->rows;

    IFN_TRY(norm(self, IFN_POINT_ATTN_NORM, w->attn_norm, b->x, rows, h->n_embd, b->normed));
    IFN_TRY(project(self, IFN_POINT_Q, &w->qkv.w[0], b->normed, rows, b->q));
    IFN_TRY(project(self, IFN_POINT_K, &w->qkv.w[1], b->normed, rows, b->k));
    IFN_TRY(project(self, IFN_POINT_V, &w->qkv.w[2], b->normed, rows, b->v));
    IFN_TRY(norm_heads(self, IFN_POINT_Q_NORM, w->attn_q_norm, b->q, rows, h->n_heads));
    IFN_TRY(norm_heads(self, IFN_POINT_K_NORM, w->attn_k_norm, b->k, rows, h->n_kv_heads));
    IFN_TRY(rope(self, IFN_POINT_Q_ROPE, b->q, rows, h->n_heads));
    IFN_TRY(rope(self, IFN_POINT_K_ROPE, b->k, rows, h->n_kv_heads));
    IFN_TRY(append(self, IFN_POINT_K_STORED, pass, ifn_kv_cache_k(&b->kv, layer), b->k));
    IFN_TRY(append(self, IFN_POINT_V_STORED, pass, ifn_kv_cache_v(&b->kv, layer), b->v));
    ifn_context_at(self, IFN_POINT_ATTENDED);
    for (int64_t head = 0; head < h->n_heads; head++)
        IFN_TRY(attend_head(self, pass, layer, head));
    IFN_TRY(
        project(self, IFN_POINT_ATTN_OUTPUT, &w->attn_output.w[0], b->attended, rows, b->delta));
    ifn_context_at(self, IFN_POINT_ATTN_RESIDUAL);
    return IFN_RUN(self, add, .out = b->x, .x = b->x, .y = b->delta, .n = rows * h->n_embd);
}

static ifn_status feed_forward_block(ifn_context *self, const ifn_pass *pass, int64_t layer)
{
    const ifn_hparams *h = self->h;
    const ifn_layer_weights *w = &self->weights->layers[layer];
    ifn_buffers *b = &self->b;
    const int64_t rows = pass->rows;

    IFN_TRY(norm(self, IFN_POINT_FFN_NORM, w->ffn_norm, b->x, rows, h->n_embd, b->normed));
    IFN_TRY(project(self, IFN_POINT_GATE, &w->gate_up.w[0], b->normed, rows, b->gate));
    IFN_TRY(project(self, IFN_POINT_UP, &w->gate_up.w[1], b->normed, rows, b->up));
    ifn_context_at(self, IFN_POINT_GATED);
    IFN_TRY(IFN_STEP(self, silu, .out = b->gate, .x = b->gate, .n = rows * h->n_ff));
    IFN_TRY(IFN_RUN(self, hadamard, .out = b->gate, .x = b->gate, .y = b->up, .n = rows * h->n_ff));
    IFN_TRY(project(self, IFN_POINT_FFN_DOWN, &w->ffn_down.w[0], b->gate, rows, b->delta));
    ifn_context_at(self, IFN_POINT_FFN_RESIDUAL);
    return IFN_RUN(self, add, .out = b->x, .x = b->x, .y = b->delta, .n = rows * h->n_embd);
}

ifn_status ifn_forward_primitive(ifn_context *self, const ifn_pass *pass)
{
    const ifn_weight *embd = &self->weights->token_embd.w[0];
    self->layer = -1;
    ifn_context_at(self, IFN_POINT_EMBEDDING);
    IFN_TRY(IFN_RUN(self, gather_rows, .out = self->b.x, .table = embd->raw,
                    .packed = embd->handle[IFN_WEIGHT_GATHER_ROWS], .ids = self->b.ids,
                    .n = pass->rows));
    for (int64_t layer = 0; layer < self->h->n_layers; layer++) {
        self->layer = (int16_t)layer;
        IFN_TRY(attention_block(self, pass, layer));
        IFN_TRY(feed_forward_block(self, pass, layer));
    }
    return IFN_OK;
}

ifn_status ifn_logits_primitive(ifn_context *self, int64_t first, int64_t n)
{
    ifn_buffers *b = &self->b;
    const ifn_hparams *h = self->h;
    const ifn_weight *output = &self->weights->output.w[0];
    self->layer = -1;
    for (int64_t i = 0; i < n; i++) {
        ifn_context_at(self, IFN_POINT_OUTPUT_NORM);
        IFN_TRY(IFN_STEP(self, copy_row_2d, .out = b->last, .x = b->x, .out_rows = 1,
                         .x_rows = first + n, .cols = h->n_embd, .x_row = first + i));
        IFN_TRY(norm(self, IFN_POINT_OUTPUT_NORM, self->weights->output_norm, b->last, 1, h->n_embd,
                     b->last));
        IFN_TRY(project(self, IFN_POINT_LOGITS, output, b->last, 1, b->logits + i * h->n_vocab));
    }
    return IFN_OK;
}
