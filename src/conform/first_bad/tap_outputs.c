#include "tap_outputs.h"

#include <inferno/signature_values.h>

/* Returns the name of the Q8_32F rows made from a point. */
static const char *q8_name(int point)
{
    switch (point) {
    case IFN_POINT_ATTN_NORM:
        return "attn_norm_q8";
    case IFN_POINT_ATTENDED:
        return "attended_q8";
    case IFN_POINT_FFN_NORM:
        return "ffn_norm_q8";
    case IFN_POINT_GATED:
        return "gated_q8";
    case IFN_POINT_OUTPUT_NORM:
        return "output_norm_q8";
    default:
        return "?";
    }
}

void conform_tap_pass_open(tap_pass *self, const ifn_model *model)
{
    *self = (tap_pass){.model = model, .h = ifn_model_hparams(model), .pass = -1};
}

/* --- tensors of the model --- */

static const ifn_tensor *tensor_of_layer(const ifn_layer *l, int point)
{
    switch (point) {
    case IFN_POINT_ATTN_NORM:
        return l->attn_norm;
    case IFN_POINT_Q:
        return l->attn_q;
    case IFN_POINT_K:
        return l->attn_k;
    case IFN_POINT_V:
        return l->attn_v;
    case IFN_POINT_Q_NORM:
        return l->attn_q_norm;
    case IFN_POINT_K_NORM:
        return l->attn_k_norm;
    case IFN_POINT_ATTN_OUTPUT:
        return l->attn_output;
    case IFN_POINT_FFN_NORM:
        return l->ffn_norm;
    case IFN_POINT_GATE:
        return l->ffn_gate;
    case IFN_POINT_UP:
        return l->ffn_up;
    case IFN_POINT_FFN_DOWN:
        return l->ffn_down;
    default:
        return NULL;
    }
}

/* Returns the tensor of the model with which a point is computed; NULL: none. */
static const ifn_tensor *tensor_of(const tap_pass *self, int64_t layer, int point)
{
    const ifn_model_tensors *const g = ifn_model_tensors_of(self->model);
    if (layer >= 0)
        return tensor_of_layer(ifn_model_layer(self->model, layer), point);
    return point == IFN_POINT_EMBEDDING     ? g->token_embd
           : point == IFN_POINT_OUTPUT_NORM ? g->output_norm
           : point == IFN_POINT_LOGITS      ? g->output
                                            : NULL;
}

static bool is_of(const ifn_tensor *t, const void *data)
{
    return t && t->data == data;
}

/* Returns the weight with this data. A tied embedding is found as the tensor of the logits. */
static const ifn_tensor *weight_with(const tap_pass *self, const void *data)
{
    for (int64_t layer = -1; layer < self->h->n_layers; layer++)
        for (int point = IFN_POINT_ATTN_NORM; point < IFN_POINT_COUNT; point++)
            if (is_of(tensor_of(self, layer, point), data))
                return tensor_of(self, layer, point);
    return NULL;
}

static const ifn_tensor *weight_of(const tap_pass *self, const tap_call *call)
{
    const ifn_args *const a = (const ifn_args *)(const void *)call->args;
    switch (call->op) {
    case IFN_OP_GATHER_ROWS:
    case IFN_OP_RMS_NORM:
    case IFN_OP_LINEAR:
    case IFN_OP_LINEAR_Q8:
    case IFN_OP_MATMUL:
    case IFN_OP_REPEAT_ROW_AS_MATRIX:
        return tensor_of(self, call->layer, a->call.point);
    case IFN_OP_DEQUANTIZE_ROWS:
        return weight_with(self, a->dequantize_rows.x);
    case IFN_OP_TRANSPOSE_2D:
        return self->decoded && a->transpose_2d.x == self->decoded ? self->of_what : NULL;
    default:
        return NULL;
    }
}

/* --- outputs --- */

static void add_output(tap_call *call, const char *point, int64_t layer, const ifn_tensor *weight,
                       void *data, ifn_dtype dtype, int64_t cols, int64_t stride)
{
    call->outputs[call->n_outputs++] = (tap_output){.point = point,
                                                    .layer = layer,
                                                    .weight = weight,
                                                    .data = data,
                                                    .dtype = dtype,
                                                    .cols = cols,
                                                    .stride = stride};
}

/* Adds the tensor `out` as an output: rows of f32 or Q8_32F without gaps, position after position. */
static void add_rows(tap_call *call)
{
    const ifn_op_arg *const out = ifn_op_arg_find(call->op, "out");
    const ifn_dtype dtype = ifn_arg_dtype(out, call->args);
    const bool is_q8 = dtype == IFN_DTYPE_Q8_32F;
    int64_t n = 1;
    for (int i = 0; i < out->n_dims; i++)
        n *= ifn_dim_length(&out->dims[i], call->args, 0);
    if (call->n_pos < 1)
        return;
    add_output(call, is_q8 ? q8_name(call->args->point) : call->stage, call->layer, call->weight,
               (void *)(uintptr_t)ifn_arg_pointer(out, call->args, 0), dtype, n / call->n_pos,
               n / call->n_pos / (is_q8 ? 32 : 1));
}

/* Adds the residual sum that a fused norm computes first. The sum of attn_norm and output_norm is the ffn_residual of
 * the layer before. */
static void add_sum(const tap_pass *self, tap_call *call, float *sum)
{
    const bool is_attn = call->args->point == IFN_POINT_FFN_NORM;
    const int64_t layer = is_attn                                      ? call->layer
                          : call->args->point == IFN_POINT_OUTPUT_NORM ? self->h->n_layers - 1
                                                                       : call->layer - 1;
    add_output(call, ifn_point_name(is_attn ? IFN_POINT_ATTN_RESIDUAL : IFN_POINT_FFN_RESIDUAL),
               layer, NULL, sum, IFN_DTYPE_F32, self->h->n_embd, self->h->n_embd);
}

/* Adds an output for each weight of a linear. Weights that share an input make consecutive points; a call may have
 * some of them. */
static void add_products(const tap_pass *self, tap_call *call, int64_t n_w,
                         const ifn_tensor *const *w, float *const *out, const int64_t *stride)
{
    int point = call->args->point;
    for (int64_t i = 0; i < n_w && i < TAP_MAX_OUTPUTS; i++) {
        while (point < IFN_POINT_COUNT && !is_of(tensor_of(self, call->layer, point), w[i]->data))
            point++;
        if (point == IFN_POINT_COUNT)
            return;
        const ifn_tensor *const weight = tensor_of(self, call->layer, point);
        add_output(call, ifn_point_name(point), call->layer, weight, out[i], IFN_DTYPE_F32,
                   weight->shape[0], stride[i]);
        point++;
    }
    if (call->n_outputs > 0)
        call->weight = call->outputs[0].weight;
}

static void add_cache(const tap_pass *self, tap_call *call, int point, void *cache, ifn_dtype dtype,
                      int64_t stride)
{
    add_output(call, ifn_point_name(point), call->layer, NULL, cache, dtype,
               self->h->n_kv_heads * self->h->head_dim, stride);
}

static void add_outputs(const tap_pass *self, const ifn_args *a, tap_call *call)
{
    switch (call->op) {
    case IFN_OP_LINEAR:
        add_products(self, call, a->linear.n_w, a->linear.w, a->linear.out, a->linear.out_stride);
        break;
    case IFN_OP_LINEAR_Q8:
        add_products(self, call, a->linear_q8.n_w, a->linear_q8.w, a->linear_q8.out,
                     a->linear_q8.out_stride);
        break;
    case IFN_OP_RMS_NORM:
        add_rows(call);
        if (a->rms_norm.sum)
            add_sum(self, call, a->rms_norm.sum);
        break;
    case IFN_OP_KV_STORE:
        add_cache(self, call, IFN_POINT_K_STORED, a->kv_store.k_cache, a->kv_store.cache_dtype, 0);
        add_cache(self, call, IFN_POINT_V_STORED, a->kv_store.v_cache, a->kv_store.cache_dtype, 0);
        break;
    case IFN_OP_COPY_CONTIGUOUS_INTO: /* the primitive graph's cache: [max_pos, all KV heads] */
        add_cache(self, call, a->call.point,
                  (float *)a->copy_contiguous_into.out + a->copy_contiguous_into.out_offset,
                  IFN_DTYPE_F32, self->h->n_kv_heads * self->h->head_dim);
        break;
    default:
        add_rows(call);
    }
}

/* --- positions --- */

static void begin_pass(tap_pass *self, int64_t rows)
{
    self->pass++;
    self->pass_pos = self->next_pos;
    self->pass_rows = rows;
    self->next_pos += rows;
}

/* Sets the positions of output norm and logits: the last rows of a pass at once, or one row per call. */
static void place_last(const tap_pass *self, const ifn_args *a, tap_call *call)
{
    const int64_t n = call->op == IFN_OP_RMS_NORM    ? a->rms_norm.rows
                      : call->op == IFN_OP_LINEAR    ? a->linear.rows
                      : call->op == IFN_OP_LINEAR_Q8 ? a->linear_q8.rows
                                                     : 0;
    call->first_pos = self->pass_pos + (n > 0 ? self->pass_rows - n : self->logits_row);
    call->n_pos = n > 0 ? n : 1;
}

static void follow(tap_pass *self, const ifn_args *a, const tap_call *call)
{
    if (call->op == IFN_OP_GATHER_ROWS)
        begin_pass(self, a->gather_rows.n);
    if (call->op == IFN_OP_COPY_ROW_2D)
        self->logits_row = a->copy_row_2d.x_row;
    if (call->op == IFN_OP_DEQUANTIZE_ROWS) {
        self->decoded = a->dequantize_rows.out;
        self->of_what = weight_with(self, a->dequantize_rows.x);
    }
}

void conform_tap_outputs(tap_pass *self, tap_call *call)
{
    const ifn_args *const a = (const ifn_args *)(const void *)call->args;
    const int point = a->call.point;
    follow(self, a, call);
    call->stage = ifn_point_name(point);
    call->layer = point == IFN_POINT_NONE ? -1 : a->call.layer;
    call->weight = weight_of(self, call);
    call->pass = self->pass;
    call->first_pos = self->pass_pos;
    call->n_pos = self->pass_rows;
    if (point == IFN_POINT_OUTPUT_NORM || point == IFN_POINT_LOGITS)
        place_last(self, a, call);
    if (a->call.is_point && point >= IFN_POINT_EMBEDDING)
        add_outputs(self, a, call);
}
