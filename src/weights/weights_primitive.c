/*
 * The primitive graph's weights: matmul wants f32 [k, n], files hold [n, k] in any dtype, so each
 * weight goes through dequantize_rows and transpose_2d once.
 */
#include "weights_priv.h"

#include "alloc_priv.h"
#include "checked.h"

/* The size of a buffer with `bytes` used bytes: kernels may read IFN_MAX_OVERREAD bytes past them; 0 on overflow. */
static size_t with_overread(size_t bytes)
{
    return bytes && bytes <= SIZE_MAX - IFN_MAX_OVERREAD ? bytes + IFN_MAX_OVERREAD : 0;
}

static size_t copy_bytes(const ifn_tensor *t)
{
    size_t count, bytes;
    if (!ifn_mul_size((size_t)t->shape[0], (size_t)t->shape[1], &count) ||
        !ifn_mul_size(count, sizeof(float), &bytes))
        return 0;
    return with_overread(bytes);
}

static ifn_status run(ifn_weights *self, const ifn_tensor *t, const void *raw, float *rows,
                      float *out, void *scratch, size_t scratch_bytes)
{
    const ifn_dequantize_rows_args decode = {
        .call = {.bytes = sizeof decode,
                 .n_lanes = 1,
                 .layer = -1,
                 .point = IFN_POINT_WEIGHTS,
                 .scratch = scratch,
                 .scratch_bytes = scratch_bytes},
        .out = rows,
        .x = raw,
        .rows = t->shape[0],
        .cols = t->shape[1],
        .dtype = t->dtype,
    };
    IFN_TRY(ifn_dequantize_rows(self->backend, &decode));
    const ifn_transpose_2d_args turn = {
        .call = {.bytes = sizeof turn,
                 .n_lanes = 1,
                 .layer = -1,
                 .point = IFN_POINT_WEIGHTS,
                 .is_point = 1,
                 .scratch = scratch,
                 .scratch_bytes = scratch_bytes},
        .out = out,
        .x = rows,
        .rows = t->shape[0],
        .cols = t->shape[1],
    };
    return ifn_transpose_2d(self->backend, &turn);
}

/* Runs the conversion on the weight in the file or, for a device, on a temporary copy in the device's memory. */
static ifn_status run_where_it_is(ifn_weights *self, const ifn_tensor *t, float *rows, float *out,
                                  void *scratch, size_t scratch_bytes)
{
    const ifn_allocator *buffers = self->backend->buffers;
    const size_t bytes = ifn_matrix_bytes(t);
    if (!ifn_backend_is_device(self->backend))
        return run(self, t, t->data, rows, out, scratch, scratch_bytes);
    void *copy = buffers->alloc(buffers->cookie, with_overread(bytes), IFN_ALIGN);
    ifn_status status = copy ? ifn_weights_copy_in(self, copy, t->data, bytes) : IFN_ERR_NOMEM;
    if (status == IFN_OK)
        status = run(self, t, copy, rows, out, scratch, scratch_bytes);
    const ifn_status waited = ifn_backend_synchronize(self->backend, IFN_ALL_LANES);
    status = status == IFN_OK ? waited : status;
    buffers->free(buffers->cookie, copy, with_overread(bytes));
    return status;
}

static ifn_status transpose(ifn_weights *self, ifn_weight *w, ifn_error *err)
{
    const ifn_allocator *buffers = self->backend->buffers;
    const ifn_limits limits = ifn_weights_limits(self->model, 1, 1);
    const size_t bytes = copy_bytes(w->raw);
    const size_t scratch_bytes = with_overread(ifn_backend_scratch_bytes(self->backend, &limits));
    float *rows = bytes ? buffers->alloc(buffers->cookie, bytes, IFN_ALIGN) : NULL;
    float *out = rows ? buffers->alloc(buffers->cookie, bytes, IFN_ALIGN) : NULL;
    void *scratch =
        scratch_bytes && out ? buffers->alloc(buffers->cookie, scratch_bytes, IFN_ALIGN) : NULL;
    ifn_status status = IFN_ERR_NOMEM;
    if (out && (scratch || !scratch_bytes))
        status = run_where_it_is(self, w->raw, rows, out, scratch, scratch_bytes);
    buffers->free(buffers->cookie, scratch, scratch_bytes);
    buffers->free(buffers->cookie, rows, bytes);
    if (status != IFN_OK) {
        buffers->free(buffers->cookie, out, bytes);
        return ifn_fail(err, status, "%s: the f32 copy of the primitive graph: %s", w->raw->name,
                        ifn_status_text(status));
    }
    w->transposed = out;
    w->transposed_bytes = bytes;
    self->bytes += bytes;
    return IFN_OK;
}

ifn_status ifn_weights_transpose_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                       ifn_error *err)
{
    if (!(uses & IFN_USE_MATMUL))
        return IFN_OK;
    for (int64_t i = 0; i < group->n; i++)
        IFN_TRY(transpose(self, &group->w[i], err));
    return IFN_OK;
}

void ifn_weights_free_transposed(ifn_weights *self, ifn_weight_group *group)
{
    const ifn_allocator *buffers = self->backend->buffers;
    for (int64_t i = 0; i < group->n; i++)
        buffers->free(buffers->cookie, group->w[i].transposed, group->w[i].transposed_bytes);
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return ifn_add_u64(a, b, &sum) ? sum : UINT64_MAX;
}

uint64_t ifn_weights_primitive_bytes(const ifn_model *model)
{
    uint64_t total = copy_bytes(ifn_model_tensors_of(model)->output);
    for (int64_t i = 0; i < ifn_model_hparams(model)->n_layers; i++) {
        const ifn_layer *l = ifn_model_layer(model, i);
        const ifn_tensor *all[] = {l->attn_q,   l->attn_k, l->attn_v,  l->attn_output,
                                   l->ffn_gate, l->ffn_up, l->ffn_down};
        for (size_t j = 0; j < sizeof all / sizeof all[0]; j++)
            total = saturating_add(total, copy_bytes(all[j]));
    }
    return total;
}
