#include "tap_place.h"

#include <stdlib.h>

#include "tap_tensors.h"

enum { SETUP = POINT_COUNT }; /* no pass has begun */

static const char *const names[] = {
#define X(NAME, name) name,
    TAP_POINTS(X)
#undef X
        "?",
};

/* What rows of Q8_32F are called that come of a point. */
static const char *q8_name(tap_point point)
{
    switch (point) {
    case POINT_ATTN_NORM:
        return "attn_norm_q8";
    case POINT_ATTENDED:
        return "attended_q8";
    case POINT_FFN_NORM:
        return "ffn_norm_q8";
    case POINT_GATED:
        return "gated_q8";
    case POINT_OUTPUT_NORM:
        return "output_norm_q8";
    default:
        return "?";
    }
}

void conform_tap_place_open(tap_place *self, const ifn_model *model)
{
    *self = (tap_place){.model = model,
                        .h = ifn_model_hparams(model),
                        .layer = -1,
                        .point = (tap_point)SETUP,
                        .pass = -1};
}

void conform_tap_place_close(tap_place *self)
{
    free(self->copies);
}

/* --- where the graph is --- */

static void go(tap_place *self, int64_t layer, tap_point point)
{
    self->layer = layer;
    self->point = point;
}

static void add_output(tap_call *call, const char *point, int64_t layer, void *data,
                       ifn_dtype dtype, int64_t cols, int64_t stride)
{
    call->outputs[call->n_outputs++] = (tap_output){.point = point,
                                                    .layer = layer,
                                                    .weight = call->weight,
                                                    .data = data,
                                                    .dtype = dtype,
                                                    .cols = cols,
                                                    .stride = stride};
}

/* Rows of f32 or Q8_32F without gaps: the point at hand. */
static void add_rows(const tap_place *self, tap_call *call, void *data, ifn_dtype dtype,
                     int64_t cols)
{
    const int is_q8 = dtype == IFN_DTYPE_Q8_32F;
    add_output(call, is_q8 ? q8_name(self->point) : names[self->point], self->layer, data, dtype,
               cols, is_q8 ? cols / 32 : cols);
}

/* The last n rows of the pass. */
static void take_last(const tap_place *self, tap_call *call, int64_t n)
{
    call->first_pos = self->pass_pos + self->pass_rows - n;
    call->n_pos = n;
}

static void place_gather(tap_place *self, const ifn_gather_rows_args *a, tap_call *call)
{
    go(self, -1, POINT_EMBEDDING);
    self->pass++;
    self->pass_pos = self->next_pos;
    self->pass_rows = a->n;
    self->next_pos += a->n;
    call->weight = ifn_model_globals(self->model)->token_embd;
    call->first_pos = self->pass_pos;
    call->n_pos = a->n;
    add_rows(self, call, a->out, IFN_DTYPE_F32, self->h->n_embd);
}

/* The sum that a norm makes before it belongs to the block before. */
static void add_sum(const tap_place *self, tap_call *call, float *sum)
{
    const int is_attn = self->point == POINT_FFN_NORM;
    const int64_t before =
        self->point == POINT_OUTPUT_NORM ? self->h->n_layers - 1 : self->layer - 1;
    add_output(call, names[is_attn ? POINT_ATTN_RESIDUAL : POINT_FFN_RESIDUAL],
               is_attn ? self->layer : before, sum, IFN_DTYPE_F32, self->h->n_embd,
               self->h->n_embd);
    call->outputs[call->n_outputs - 1].weight = NULL;
}

static void place_norm(tap_place *self, const ifn_rms_norm_args *a, tap_call *call)
{
    tap_known t;
    if (!tap_find_tensor(self, a->weight, &t))
        return;
    go(self, t.layer, t.point);
    call->weight = t.tensor;
    if (t.point == POINT_OUTPUT_NORM)
        take_last(self, call, a->rows);
    const int64_t per_pos = call->n_pos > 0 ? a->rows / call->n_pos : 0; /* heads */
    add_rows(self, call, a->out, a->out_dtype, a->dim * per_pos);
    if (a->sum)
        add_sum(self, call, a->sum);
}

static void place_linear(tap_place *self, int64_t rows, int64_t n_w, const ifn_tensor *const *w,
                         float *const *out, const int64_t *stride, tap_call *call)
{
    for (int64_t i = 0; i < n_w && i < TAP_MAX_OUTPUTS; i++) {
        tap_known t;
        if (!tap_find_tensor(self, w[i]->data, &t))
            continue;
        go(self, t.layer, t.point);
        if (t.point == POINT_LOGITS)
            take_last(self, call, rows);
        call->weight = t.tensor;
        add_output(call, names[t.point], t.layer, out[i], IFN_DTYPE_F32, t.tensor->shape[0],
                   stride[i]);
    }
    if (call->n_outputs > 0)
        call->weight = call->outputs[0].weight;
}

static int has_bias(const tap_place *self)
{
    const ifn_layer *const l = ifn_model_layer(self->model, self->layer);
    return l && ((self->point == POINT_Q && l->attn_q_bias) ||
                 (self->point == POINT_K && l->attn_k_bias) ||
                 (self->point == POINT_V && l->attn_v_bias));
}

static void place_matmul(tap_place *self, const ifn_matmul_args *a, tap_call *call)
{
    tap_known t;
    if (!tap_find_copy(self, a->b, &t)) {
        go(self, self->layer, POINT_ATTENDED); /* scores, or their product with V */
        return;
    }
    go(self, t.layer, t.point);
    call->weight = t.tensor;
    if (t.point == POINT_LOGITS) {
        call->first_pos = self->pass_pos + self->logits_row;
        call->n_pos = a->m;
    }
    if (!has_bias(self))
        add_rows(self, call, a->out, IFN_DTYPE_F32, a->p);
}

static void place_add(tap_place *self, const ifn_add_args *a, tap_call *call)
{
    if (self->point == POINT_ATTN_OUTPUT)
        go(self, self->layer, POINT_ATTN_RESIDUAL);
    else if (self->point == POINT_FFN_DOWN)
        go(self, self->layer, POINT_FFN_RESIDUAL);
    if (call->n_pos > 0)
        add_rows(self, call, a->out, IFN_DTYPE_F32, a->n / call->n_pos);
}

/* Which norm the primitive graph begins behind a point. */
static void begin_norm(tap_place *self)
{
    const ifn_layer *const l = ifn_model_layer(self->model, self->layer);
    self->n_factors = 0;
    switch (self->point) {
    case POINT_EMBEDDING:
        go(self, 0, POINT_ATTN_NORM);
        break;
    case POINT_V:
        go(self, self->layer, l && l->attn_q_norm ? POINT_Q_NORM : POINT_K_NORM);
        break;
    case POINT_Q_NORM:
        go(self, self->layer, POINT_K_NORM);
        break;
    case POINT_ATTN_RESIDUAL:
        go(self, self->layer, POINT_FFN_NORM);
        break;
    case POINT_FFN_RESIDUAL:
        go(self, self->layer + 1, POINT_ATTN_NORM);
        break;
    default:
        break; /* of rows that have been copied: output_norm */
    }
}

/* A norm is done with its second factor, a gate with its first. */
static void place_hadamard(tap_place *self, const ifn_hadamard_args *a, tap_call *call)
{
    if (self->point != POINT_GATED && ++self->n_factors < 2)
        return;
    if (self->point == POINT_OUTPUT_NORM) {
        call->first_pos = self->pass_pos + self->logits_row;
        call->n_pos = 1;
    }
    if (call->n_pos > 0)
        add_rows(self, call, a->out, IFN_DTYPE_F32, a->n / call->n_pos);
}

static void place_rope(tap_place *self, float *out, int64_t n_heads, tap_call *call)
{
    go(self, self->layer, self->point == POINT_Q_ROPE ? POINT_K_ROPE : POINT_Q_ROPE);
    add_rows(self, call, out, IFN_DTYPE_F32, n_heads * self->h->head_dim);
}

static void add_cache(const tap_place *self, tap_call *call, tap_point point, void *cache,
                      ifn_dtype dtype, int64_t stride)
{
    add_output(call, names[point], self->layer, cache, dtype,
               self->h->n_kv_heads * self->h->head_dim, stride);
}

static void place_store(tap_place *self, const ifn_kv_store_args *a, tap_call *call)
{
    go(self, self->layer, POINT_V_STORED);
    add_cache(self, call, POINT_K_STORED, a->k_cache, a->cache_dtype, 0);
    add_cache(self, call, POINT_V_STORED, a->v_cache, a->cache_dtype, 0);
}

/* The primitive graph's cache: [max_pos, n_kv_heads * head_dim], new rows at the offset. */
static void place_append(tap_place *self, const ifn_copy_contiguous_into_args *a, tap_call *call)
{
    const int64_t cols = self->h->n_kv_heads * self->h->head_dim;
    if (a->to_host) {
        call->stage = "readback";
        call->layer = -1;
        return;
    }
    go(self, self->layer, self->point == POINT_K_STORED ? POINT_V_STORED : POINT_K_STORED);
    add_cache(self, call, self->point, (float *)a->out + a->out_offset, IFN_DTYPE_F32, cols);
}

static void place_head(tap_place *self, const ifn_copy_2d_into_cols_args *a, tap_call *call)
{
    go(self, self->layer, POINT_ATTENDED);
    if (a->col_begin + a->cols == a->out_cols)
        add_rows(self, call, a->out, IFN_DTYPE_F32, a->out_cols);
}

static void place_repeat(tap_place *self, const ifn_repeat_row_as_matrix_args *a, tap_call *call)
{
    tap_known t;
    if (!tap_find_tensor(self, a->x, &t))
        return;
    go(self, t.layer, t.point);
    call->weight = t.tensor;
}

/* Before the first pass the primitive graph's weights are made. */
static void place_decode(tap_place *self, const ifn_dequantize_rows_args *a, tap_call *call)
{
    tap_known t;
    call->stage = "weights";
    if (!tap_find_tensor(self, a->x, &t))
        return;
    call->weight = t.tensor;
    call->layer = t.layer;
    self->decoded = (tap_copy){a->out, t.tensor};
}

static void place_transpose(tap_place *self, const ifn_transpose_2d_args *a, tap_call *call)
{
    tap_known t;
    tap_learn_copy(self, a);
    if (!tap_find_copy(self, a->out, &t)) {
        go(self, self->layer, POINT_ATTENDED);
        return;
    }
    call->stage = "weights";
    call->weight = t.tensor;
    call->layer = t.layer;
}

static void place_other(tap_place *self, const ifn_args *a, tap_call *call)
{
    switch (call->op) {
    case IFN_OP_SUM_SQUARES_AXIS:
        begin_norm(self);
        break;
    case IFN_OP_COPY_ROW_2D:
        self->logits_row = a->copy_row_2d.x_row;
        go(self, -1, POINT_OUTPUT_NORM);
        break;
    case IFN_OP_SILU:
        go(self, self->layer, POINT_GATED);
        break;
    case IFN_OP_COPY_2D_FROM_COLS:
        go(self, self->layer, POINT_ATTENDED);
        break;
    case IFN_OP_COPY_IN:
        call->stage = "inputs";
        call->layer = -1;
        break;
    default:
        break; /* on the way to the point at hand */
    }
}

static void place_op(tap_place *self, const ifn_args *a, tap_call *call)
{
    switch (call->op) {
    case IFN_OP_GATHER_ROWS:
        place_gather(self, &a->gather_rows, call);
        break;
    case IFN_OP_RMS_NORM:
        place_norm(self, &a->rms_norm, call);
        break;
    case IFN_OP_LINEAR:
        place_linear(self, a->linear.rows, a->linear.n_w, a->linear.w, a->linear.out,
                     a->linear.out_stride, call);
        break;
    case IFN_OP_LINEAR_Q8:
        place_linear(self, a->linear_q8.rows, a->linear_q8.n_w, a->linear_q8.w, a->linear_q8.out,
                     a->linear_q8.out_stride, call);
        break;
    case IFN_OP_MATMUL:
        place_matmul(self, &a->matmul, call);
        break;
    case IFN_OP_ADD:
        place_add(self, &a->add, call);
        break;
    case IFN_OP_HADAMARD:
        place_hadamard(self, &a->hadamard, call);
        break;
    case IFN_OP_APPLY_ROPE:
        place_rope(self, a->apply_rope.out, a->apply_rope.n_heads, call);
        break;
    case IFN_OP_APPLY_ROPE_SINGLE_ROW:
        place_rope(self, a->apply_rope_single_row.out, a->apply_rope_single_row.n_heads, call);
        break;
    case IFN_OP_KV_STORE:
        place_store(self, &a->kv_store, call);
        break;
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        place_append(self, &a->copy_contiguous_into, call);
        break;
    case IFN_OP_COPY_2D_INTO_COLS:
        place_head(self, &a->copy_2d_into_cols, call);
        break;
    case IFN_OP_REPEAT_ROW_AS_MATRIX:
        place_repeat(self, &a->repeat_row_as_matrix, call);
        break;
    case IFN_OP_DEQUANTIZE_ROWS:
        place_decode(self, &a->dequantize_rows, call);
        break;
    case IFN_OP_TRANSPOSE_2D:
        place_transpose(self, &a->transpose_2d, call);
        break;
    case IFN_OP_ATTENTION:
        go(self, self->layer, POINT_ATTENDED);
        if (a->attention.phase != IFN_ATTENTION_PARTIALS)
            add_rows(self, call, a->attention.out, IFN_DTYPE_F32,
                     a->attention.n_heads * a->attention.head_dim);
        break;
    case IFN_OP_SWIGLU:
        go(self, self->layer, POINT_GATED);
        add_rows(self, call, a->swiglu.out, a->swiglu.out_dtype, a->swiglu.dim);
        break;
    case IFN_OP_QUANTIZE_ROWS:
        add_rows(self, call, a->quantize_rows.out, a->quantize_rows.out_dtype,
                 a->quantize_rows.cols);
        break;
    default:
        place_other(self, a, call);
    }
}

void conform_tap_place(tap_place *self, tap_call *call)
{
    call->layer = -1;
    call->first_pos = self->pass_pos;
    call->n_pos = self->pass_rows;
    place_op(self, (const ifn_args *)(const void *)call->args, call);
    call->pass = self->pass;
    if (!call->stage) {
        call->stage = names[self->point];
        call->layer = self->layer;
    }
}
