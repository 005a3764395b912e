#include "plan.h"

#include <inferno/spans.h>

#include "checked.h"
#include "min_max.h"
#include "sized.h"
#include "weights_priv.h"

enum { DEFAULT_MAX_ROWS = 512, ALL_LOGITS_MAX_ROWS = 64 };

ifn_dtype ifn_kv_dtype(ifn_kv kv)
{
    switch (kv) {
    case IFN_KV_F16:
        return IFN_DTYPE_F16;
    case IFN_KV_Q8_0:
        return IFN_DTYPE_Q8_0;
    case IFN_KV_OFF:
    case IFN_KV_F32:
        break;
    }
    return IFN_DTYPE_F32;
}

static ifn_status check_pages(const ifn_context_params *p, ifn_error *err)
{
    const int primitive = p->graph == IFN_GRAPH_PRIMITIVE;
    if (p->page_rows == 0 && p->n_pages != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%lld pages of no size: expected page_rows, too",
                        (long long)p->n_pages);
    if (p->page_rows != 0 && !ifn_is_page_size(p->page_rows))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "pages of %lld rows: expected 16, 32, 64, 128 or 256",
                        (long long)p->page_rows);
    if (p->n_pages < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "found %lld pages, expected 0 or more",
                        (long long)p->n_pages);
    if (p->page_rows != 0 && (primitive || p->kv == IFN_KV_OFF))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "pages %s: expected none, or a KV cache and the fused graph",
                        primitive ? "in the primitive graph" : "without a KV cache");
    return IFN_OK;
}

static ifn_status check_combination(const ifn_hparams *h, const ifn_context_params *p,
                                    ifn_error *err)
{
    const int primitive = p->graph == IFN_GRAPH_PRIMITIVE;
    if (p->graph < 0 || p->graph > IFN_GRAPH_PRIMITIVE || p->activations < 0 ||
        p->activations > IFN_ACTIVATIONS_Q8 || p->kv < 0 || p->kv > IFN_KV_Q8_0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "context: graph %d, activations %d, kv %d, expected up to %d, %d, %d",
                        (int)p->graph, (int)p->activations, (int)p->kv, IFN_GRAPH_PRIMITIVE,
                        IFN_ACTIVATIONS_Q8, IFN_KV_Q8_0);
    if (p->max_pos < 0 || p->max_rows < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "context: found %lld tokens in chunks of %lld, expected positive numbers",
                        (long long)p->max_pos, (long long)p->max_rows);
    if (p->n_sequences < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "context: found %d sequences, expected 0 or more",
                        (int)p->n_sequences);
    if (p->n_sequences > 1 && (primitive || p->kv == IFN_KV_OFF))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%d sequences %s: expected one, or a KV cache and the fused graph",
                        (int)p->n_sequences,
                        primitive ? "in the primitive graph" : "without a KV cache");
    IFN_TRY(check_pages(p, err));
    if (primitive && p->activations == IFN_ACTIVATIONS_Q8)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "activations q8 with the primitive graph: no primitive op quantizes; "
                        "expected f32 or auto");
    if (primitive && (p->kv == IFN_KV_F16 || p->kv == IFN_KV_Q8_0))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "kv cache %s with the primitive graph: expected off or basic",
                        p->kv == IFN_KV_F16 ? "f16" : "q8_0");
    if (p->kv == IFN_KV_Q8_0 && h->head_dim % 32 != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "kv cache q8_0: head_dim is %lld, expected a multiple of 32",
                        (long long)h->head_dim);
    return IFN_OK;
}

static ifn_activations resolve_activations(const ifn_model *model, const ifn_context_params *p)
{
    if (p->activations != IFN_ACTIVATIONS_AUTO)
        return p->activations;
    return p->graph == IFN_GRAPH_FUSED && ifn_model_is_quantized(model) ? IFN_ACTIVATIONS_Q8
                                                                        : IFN_ACTIVATIONS_F32;
}

uint32_t ifn_context_uses(const ifn_model *model, const ifn_context_params *params)
{
    const uint32_t always = IFN_USE_GATHER_ROWS;
    if (params->graph == IFN_GRAPH_PRIMITIVE)
        return always | IFN_USE_MATMUL;
    return always | (resolve_activations(model, params) == IFN_ACTIVATIONS_Q8 ? IFN_USE_LINEAR_Q8
                                                                              : IFN_USE_LINEAR);
}

/* Rows of b.logits: one kept for each sequence. With all_logits there is also room for all rows of a pass:
 * after the kept rows or, with a single sequence, in the same place as its kept row. */
static int64_t logit_rows(const ifn_context_params *p)
{
    if (!p->all_logits)
        return p->n_sequences;
    return p->n_sequences > 1 ? p->n_sequences + p->max_rows : p->max_rows;
}

ifn_status ifn_plan_resolve(const ifn_model *model, const ifn_backend *backend,
                            const ifn_context_params *params, ifn_resolved *out, ifn_error *err)
{
    const ifn_hparams *h = ifn_model_hparams(model);
    const int32_t n_lanes = ifn_backend_n_lanes(backend);
    ifn_context_params p;
    IFN_TRY(ifn_sized_read(&p, sizeof p, params, "ifn_context_params", err));
    IFN_TRY(check_combination(h, &p, err));
    if (p.lane < 0 || p.lane >= n_lanes)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "lane %d: backend %s was opened for %d contexts at once", (int)p.lane,
                        ifn_backend_expression(backend), (int)n_lanes);
    p.activations = resolve_activations(model, &p);
    if (p.max_pos == 0)
        p.max_pos = h->n_ctx_train;
    if (p.max_rows == 0)
        p.max_rows = DEFAULT_MAX_ROWS;
    if (p.n_sequences == 0)
        p.n_sequences = 1;
    int64_t all_rows;
    if (ifn_mul_i64(p.n_sequences, p.max_pos, &all_rows))
        p.max_rows = ifn_min(p.max_rows, all_rows);
    if (p.all_logits) /* each row of logits is as long as the vocabulary */
        p.max_rows = ifn_min(p.max_rows, ALL_LOGITS_MAX_ROWS);
    const ifn_limits limits = ifn_weights_limits(model, p.max_rows, p.max_pos);
    *out = (ifn_resolved){
        .params = p,
        .logit_rows = logit_rows(&p),
        .kv_dtype = ifn_kv_dtype(p.kv),
        .scratch_bytes = ifn_backend_scratch_bytes(backend, &limits),
        .n_lanes = n_lanes,
    };
    return IFN_OK;
}

/* [rows, cols] of elements of `size` bytes. */
static void *take(ifn_arena *arena, int64_t rows, int64_t cols, size_t size)
{
    int64_t count;
    if (!ifn_mul_i64(rows, cols, &count)) {
        arena->failed = true;
        return NULL;
    }
    return ifn_arena_take(arena, (size_t)count, size);
}

static float *take_f32(ifn_arena *arena, int64_t rows, int64_t cols)
{
    return take(arena, rows, cols, sizeof(float));
}

/* cols / 32 loses nothing: rows that a quantized weight reads have a multiple of 32 elements, and other rows
 * are never converted to Q8_32F. */
static ifn_block_q8_32f *take_q8(ifn_arena *arena, int64_t rows, int64_t cols)
{
    return take(arena, rows, cols / 32, sizeof(ifn_block_q8_32f));
}

static void take_fused(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                       ifn_buffers *out)
{
    const int64_t rows = r->params.max_rows;
    if (r->params.activations != IFN_ACTIVATIONS_Q8)
        return;
    out->normed_q8 = take_q8(arena, rows, h->n_embd);
    out->attended_q8 = take_q8(arena, rows, h->n_heads * h->head_dim);
    out->gated_q8 = take_q8(arena, rows, h->n_ff);
}

static void take_primitive(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                           ifn_buffers *out)
{
    const int64_t rows = r->params.max_rows, max_pos = r->params.max_pos;
    const int64_t widest = ifn_max(ifn_max(h->n_embd, h->n_ff), h->n_heads * h->head_dim);
    out->row_a = take_f32(arena, rows, widest);
    out->row_b = take_f32(arena, rows, widest);
    out->scalars = take_f32(arena, rows, h->n_heads);
    out->head_q = take_f32(arena, rows, h->head_dim);
    out->head_out = take_f32(arena, rows, h->head_dim);
    out->head_kv = take_f32(arena, max_pos, h->head_dim);
    out->head_kt = take_f32(arena, h->head_dim, max_pos);
    out->scores = take_f32(arena, rows, max_pos);
}

void ifn_plan_buffers(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                      ifn_buffers *out)
{
    const int64_t rows = r->params.max_rows;
    const int64_t q_dim = h->n_heads * h->head_dim, kv_dim = h->n_kv_heads * h->head_dim;
    *out = (ifn_buffers){0};
    ifn_kv_cache_take(&out->kv, h, &r->params, r->kv_dtype, arena);
    out->ids = take(arena, rows, 1, sizeof *out->ids);
    out->rope = take_f32(arena, rows, h->head_dim);
    out->x = take_f32(arena, rows, h->n_embd);
    out->normed = take_f32(arena, rows, h->n_embd);
    out->q = take_f32(arena, rows, q_dim);
    out->k = take_f32(arena, rows, kv_dim);
    out->v = take_f32(arena, rows, kv_dim);
    out->attended = take_f32(arena, rows, q_dim);
    out->delta = take_f32(arena, rows, h->n_embd);
    out->gate = take_f32(arena, rows, h->n_ff);
    out->up = take_f32(arena, rows, h->n_ff);
    out->last = take_f32(arena, 1, h->n_embd);
    out->logits = take_f32(arena, r->logit_rows, h->n_vocab);
    out->probs = take_f32(arena, 1, h->n_vocab);
    out->best_index = take(arena, 1, 1, sizeof *out->best_index);
    out->best_value = take_f32(arena, 1, 1);
    out->scratch = ifn_arena_take(arena, r->scratch_bytes, 1);
    if (r->params.graph == IFN_GRAPH_PRIMITIVE)
        take_primitive(h, r, arena, out);
    else
        take_fused(h, r, arena, out);
    (void)ifn_arena_take(arena, IFN_MAX_OVERREAD, 1); /* kernels may read past the last buffer */
}

/* Takes the block table and page_users, sized as kv_cache.c sizes the cache. */
static void take_pages(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                       ifn_host_buffers *out)
{
    ifn_kv_cache kv;
    ifn_arena measured;
    if (r->params.page_rows == 0)
        return;
    ifn_arena_init(&measured, NULL, 0);
    ifn_kv_cache_take(&kv, h, &r->params, r->kv_dtype, &measured);
    out->pages = take(arena, r->params.n_sequences, kv.slot / kv.page_rows, sizeof *out->pages);
    out->page_users = take(arena, kv.n_pages, 1, sizeof *out->page_users);
}

void ifn_plan_host(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                   ifn_host_buffers *out)
{
    *out = (ifn_host_buffers){0};
    if (r->params.kv == IFN_KV_OFF)
        out->history = take(arena, r->params.max_pos, 1, sizeof *out->history);
    out->spans = take(arena, r->params.n_sequences, 1, sizeof *out->spans);
    out->sequences = take(arena, r->params.n_sequences, 1, sizeof *out->sequences);
    take_pages(h, r, arena, out);
    out->rope = take_f32(arena, r->params.max_rows, h->head_dim);
    out->logits = take_f32(arena, 1, h->n_vocab);
    out->order = take(arena, 1, h->n_vocab, sizeof *out->order);
}

static ifn_status check_memory(const ifn_resolved *r, const ifn_plan *plan, ifn_error *err)
{
    const uint64_t limit = r->params.max_memory;
    if (limit == 0 || plan->total_bytes <= limit)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_ARGUMENT,
                    "a context of %lld tokens takes %llu bytes, expected at most %llu",
                    (long long)r->params.max_pos, (unsigned long long)plan->total_bytes,
                    (unsigned long long)limit);
}

ifn_status ifn_plan_measure(const ifn_model *model, const ifn_resolved *r, ifn_plan *plan,
                            ifn_error *err)
{
    const ifn_hparams *h = ifn_model_hparams(model);
    ifn_arena kv, device, host;
    ifn_buffers buffers;
    ifn_host_buffers host_buffers;
    ifn_arena_init(&kv, NULL, 0);
    ifn_arena_init(&device, NULL, 0);
    ifn_arena_init(&host, NULL, 0);
    ifn_kv_cache_take(&buffers.kv, h, &r->params, r->kv_dtype, &kv);
    ifn_plan_buffers(h, r, &device, &buffers);
    ifn_plan_host(h, r, &host, &host_buffers);
    *plan = IFN_SIZED(ifn_plan, .kv_bytes = kv.used, .buffer_bytes = device.used - kv.used,
                      .host_bytes = host.used,
                      .f32_weight_bytes = r->params.graph == IFN_GRAPH_PRIMITIVE
                                              ? ifn_weights_primitive_bytes(model)
                                              : 0);
    uint64_t total = 0;
    if (kv.failed || device.failed || host.failed || !ifn_add_u64(device.used, host.used, &total) ||
        !ifn_add_u64(total, plan->f32_weight_bytes, &total))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "a context of %lld tokens does not fit in the address space",
                        (long long)r->params.max_pos);
    plan->total_bytes = total;
    return check_memory(r, plan, err);
}

ifn_status ifn_context_plan(const ifn_model *model, const ifn_backend *backend,
                            const ifn_context_params *params, ifn_plan *plan, ifn_error *err)
{
    ifn_resolved resolved;
    ifn_plan own = IFN_PLAN_INIT;
    IFN_TRY(ifn_sized_read(&own, sizeof own, plan, "ifn_plan", err));
    IFN_TRY(ifn_plan_resolve(model, backend, params, &resolved, err));
    const ifn_status status = ifn_plan_measure(model, &resolved, &own, err);
    ifn_sized_write(plan, &own, sizeof own);
    return status;
}
