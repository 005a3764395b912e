#include "e2e_codes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

#include "blocks.h"

/* Points of the f64 pass that are narrowed next, and the name of each point once it is narrowed. */
static const struct {
    const char *before, *point;
    bool is_cache;
} narrowed[] = {
    {"attn_norm", "attn_norm_q8", 0},
    {"attended", "attended_q8", 0},
    {"ffn_norm", "ffn_norm_q8", 0},
    {"gated", "gated_q8", 0},
    {"output_norm", "output_norm_q8", 0},
    {"k_rope", "k_stored", 1},
    {"v", "v_stored", 1},
};

enum { N_NARROWED = sizeof narrowed / sizeof *narrowed };

void e2e_codes_open(e2e_codes *self, const ifn_model *model, const conform_truth_mode *mode,
                    int64_t n_positions)
{
    *self = (e2e_codes){.mode = mode, .n_positions = n_positions};
    self->is_q8 = mode->activations == IFN_ACTIVATIONS_Q8 ||
                  (mode->activations == IFN_ACTIVATIONS_AUTO && ifn_model_is_quantized(model));
}

void e2e_codes_close(e2e_codes *self)
{
    for (int64_t i = 0; i < self->n; i++)
        free(self->coded[i].rows);
    free(self->coded);
    free(self->row);
    *self = (e2e_codes){.mode = NULL};
}

const e2e_coded *e2e_codes_find(const e2e_codes *self, const char *point, int64_t layer)
{
    for (int64_t i = 0; i < self->n; i++)
        if (self->coded[i].layer == layer && strcmp(self->coded[i].point, point) == 0)
            return &self->coded[i];
    return NULL;
}

static int have_room(e2e_codes *self, int64_t cols)
{
    if (self->n == self->room) {
        const int64_t room = self->room ? 2 * self->room : 64;
        e2e_coded *const more = realloc(self->coded, (size_t)room * sizeof *more);
        if (!more)
            return 0;
        self->coded = more;
        self->room = room;
    }
    if (cols > self->row_room) {
        float *const row = realloc(self->row, (size_t)cols * sizeof *row);
        if (!row)
            return 0;
        self->row = row;
        self->row_room = cols;
    }
    return 1;
}

/* Rounds rows to f32 and encodes them, as conform_f64_narrow does. */
static int encode(e2e_codes *self, const double *data, e2e_coded *coded)
{
    const size_t row_bytes = ifn_dtype_row_bytes(coded->dtype, coded->cols);
    for (int64_t r = 0; r < self->n_positions; r++) {
        for (int64_t i = 0; i < coded->cols; i++)
            self->row[i] = (float)data[r * coded->cols + i];
        if (ifn_quantize_row(coded->dtype, self->row, (char *)coded->rows + (size_t)r * row_bytes,
                             coded->cols) != IFN_OK)
            return 0;
    }
    return 1;
}

static void keep(e2e_codes *self, const char *point, int64_t layer, ifn_dtype dtype,
                 const double *data, int64_t cols)
{
    e2e_coded coded = {point, layer, dtype, cols, NULL};
    if (self->failed || !have_room(self, cols))
        goto fail;
    coded.rows = malloc((size_t)self->n_positions * ifn_dtype_row_bytes(dtype, cols) + 1);
    if (!coded.rows)
        goto fail;
    self->coded[self->n++] = coded;
    if (encode(self, data, &coded))
        return;
fail:
    self->failed = 1;
}

static void put(void *cookie, int64_t layer, const char *name, const double *data, int64_t rows,
                int64_t cols)
{
    e2e_codes *const self = cookie;
    (void)rows;
    for (int i = 0; i < N_NARROWED; i++) {
        if (strcmp(name, narrowed[i].before) != 0)
            continue;
        const ifn_dtype cache = self->mode->cache;
        if (narrowed[i].is_cache && (cache != IFN_DTYPE_F32 || self->with_f32_cache))
            keep(self, narrowed[i].point, layer, cache, data, cols);
        /* a quantized weight reads rows of whole blocks; rows of other lengths stay f32 */
        if (!narrowed[i].is_cache && self->is_q8 && cols % 32 == 0)
            keep(self, narrowed[i].point, layer, IFN_DTYPE_Q8_32F, data, cols);
    }
}

conform_truth_sink e2e_codes_sink(e2e_codes *self)
{
    return (conform_truth_sink){put, self};
}

/* Returns one quantization step of an element: that of its block's codes; for F16 that of the row's largest element. A
 * row of an f32 cache is judged as if it were F16 (numerics 11.2). */
static double step_of(const e2e_coded *coded, const void *row, int64_t i, double largest)
{
    if (coded->dtype == IFN_DTYPE_F16 || coded->dtype == IFN_DTYPE_F32)
        return largest * 0x1p-10;
    const conform_code code = conform_code_at(coded->dtype, row, i);
    return code.d * code.sc;
}

/* Returns how many steps rounding explains: half a step of either side; 0 for an f32 cache, which is not rounded. */
static double roundings_of(const e2e_coded *coded)
{
    return coded->dtype == IFN_DTYPE_F32 ? 0 : 1;
}

static void note(e2e_forced *self, const e2e_coded *coded, int64_t position, double steps)
{
    if (!(steps - roundings_of(coded) <= self->moved) && !isnan(self->moved))
        self->moved = steps - roundings_of(coded);
    if (steps <= self->worst || isnan(self->worst))
        return;
    self->worst = steps;
    snprintf(self->where, sizeof self->where, "layer %lld, %s, position %lld",
             (long long)coded->layer, coded->point, (long long)position);
}

/* Compares elements that the engine has narrowed with the truth's. */
static void judge(e2e_forced *self, const e2e_coded *coded, const void *own, const void *truth,
                  int64_t n, int64_t position)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(conform_value_at(coded->dtype, truth, i)));
    for (int64_t i = 0; i < n; i++) {
        const double off =
            fabs(conform_value_at(coded->dtype, own, i) - conform_value_at(coded->dtype, truth, i));
        if (off != 0)
            note(self, coded, position, off / step_of(coded, truth, i, largest));
    }
}

static void replace(e2e_forced *self, const e2e_coded *coded, void *own, const void *truth,
                    int64_t n, int64_t position)
{
    if (!self->is_filling)
        judge(self, coded, own, truth, n, position);
    memcpy(own, truth, ifn_dtype_row_bytes(coded->dtype, n));
}

/* The layout of a cache is [n_kv_heads, max_pos, head_dim], so a row is replaced head by head. */
static void replace_cache(e2e_forced *self, const tap_call *call, const tap_output *out,
                          const e2e_coded *coded)
{
    const ifn_kv_store_args *const a = (const ifn_kv_store_args *)call->args;
    const size_t head_bytes = ifn_dtype_row_bytes(coded->dtype, a->head_dim);
    const size_t row_bytes = head_bytes * (size_t)a->n_kv_heads;
    for (int64_t r = 0; r < call->n_pos; r++)
        for (int64_t h = 0; h < a->n_kv_heads; h++) {
            const int64_t at = h * a->max_pos + a->first_pos + r, position = call->first_pos + r;
            replace(self, coded, (char *)out->data + (size_t)at * head_bytes,
                    (const char *)coded->rows + (size_t)position * row_bytes +
                        (size_t)h * head_bytes,
                    a->head_dim, position);
        }
}

static void replace_rows(e2e_forced *self, const tap_call *call, const tap_output *out,
                         const e2e_coded *coded)
{
    const size_t row_bytes = ifn_dtype_row_bytes(coded->dtype, coded->cols);
    const size_t stride = (size_t)out->stride * ifn_dtype_block_bytes(coded->dtype);
    for (int64_t r = 0; r < call->n_pos; r++)
        replace(self, coded, (char *)out->data + (size_t)r * stride,
                (const char *)coded->rows + (size_t)(call->first_pos + r) * row_bytes, coded->cols,
                call->first_pos + r);
}

ifn_status e2e_force(void *cookie, const tap_call *call, ifn_status status)
{
    e2e_forced *const self = cookie;
    for (int i = 0; status == IFN_OK && self->codes && i < call->n_outputs; i++) {
        const tap_output *const out = &call->outputs[i];
        const e2e_coded *const coded = e2e_codes_find(self->codes, out->point, out->layer);
        if (!coded && out->dtype == IFN_DTYPE_F32)
            continue;
        if (!coded || coded->dtype != out->dtype || coded->cols != out->cols ||
            call->first_pos + call->n_pos > self->codes->n_positions)
            return IFN_ERR_SHAPE;
        if (call->op == IFN_OP_KV_STORE)
            replace_cache(self, call, out, coded);
        else
            replace_rows(self, call, out, coded);
        self->n_replaced += call->n_pos;
    }
    return status;
}
