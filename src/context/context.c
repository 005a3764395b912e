/* A context's life, and the way of a batch of ids through it. */
#include "context_priv.h"

#include <string.h>

#include "alloc_priv.h"
#include "huge_pages.h"

static ifn_status take_blocks(ifn_context *self, const ifn_plan *plan, ifn_error *err)
{
    const ifn_allocator *buffers = self->backend->buffers;
    self->block_bytes = (size_t)(plan->kv_bytes + plan->buffer_bytes);
    self->host_bytes = (size_t)plan->host_bytes;
    self->block = buffers->alloc(buffers->cookie, self->block_bytes, IFN_ALIGN);
    self->host_block = self->alloc->alloc(self->alloc->cookie, self->host_bytes, IFN_ALIGN);
    if (!self->block || !self->host_block)
        return ifn_fail(err, IFN_ERR_NOMEM,
                        "a context of %lld tokens: out of memory for %llu bytes",
                        (long long)self->plan.params.max_pos,
                        (unsigned long long)(plan->total_bytes - plan->f32_weight_bytes));
    ifn_arena arena;
    ifn_arena_init(&arena, self->block, self->block_bytes);
    ifn_plan_buffers(self->h, &self->plan, &arena, &self->b);
    ifn_arena_init(&arena, self->host_block, self->host_bytes);
    ifn_plan_host(self->h, &self->plan, &arena, &self->host);
    return IFN_OK;
}

static ifn_status open_on(ifn_context *self, const ifn_context_params *params, ifn_error *err)
{
    ifn_plan plan;
    const uint32_t needs = ifn_context_uses(self->model, params);
    IFN_TRY(ifn_plan_resolve(self->model, self->backend, params, &self->plan, err));
    if ((self->weights->uses & needs) != needs)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "weights were opened for uses 0x%x, this context needs 0x%x",
                        (unsigned)self->weights->uses, (unsigned)needs);
    IFN_TRY(ifn_plan_measure(self->model, &self->plan, &plan, err));
    return take_blocks(self, &plan, err);
}

ifn_status ifn_context_open(ifn_weights *weights, const ifn_context_params *params,
                            const ifn_allocator *alloc, ifn_context **out, ifn_error *err)
{
    *out = NULL;
    alloc = ifn_allocator_or_default(alloc);
    ifn_context *self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "context: out of memory");
    self->alloc = alloc;
    self->weights = ifn_weights_ref(weights);
    self->backend = weights->backend;
    self->model = weights->model;
    self->h = ifn_model_hparams(weights->model);
    const ifn_status status = open_on(self, params, err);
    if (status != IFN_OK) {
        ifn_context_close(self);
        return status;
    }
    *out = self;
    return IFN_OK;
}

static void release_block(const ifn_allocator *alloc, void *block, size_t bytes)
{
    ifn_arena arena;
    ifn_arena_init(&arena, block, bytes);
    ifn_arena_fini(&arena);
    if (block)
        alloc->free(alloc->cookie, block, bytes);
}

void ifn_context_close(ifn_context *self)
{
    if (!self)
        return;
    release_block(self->backend->buffers, self->block, self->block_bytes);
    release_block(self->alloc, self->host_block, self->host_bytes);
    ifn_weights_unref(self->weights);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

int64_t ifn_context_position(const ifn_context *self)
{
    return self->position;
}

int64_t ifn_context_max_position(const ifn_context *self)
{
    return self->plan.params.max_pos;
}

ifn_status ifn_context_rewind(ifn_context *self, int64_t position, ifn_error *err)
{
    if (position < 0 || position > self->position)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "rewind to %lld: the sequence has %lld tokens",
                        (long long)position, (long long)self->position);
    self->has_logits = self->has_logits && position == self->position;
    self->position = position;
    return IFN_OK;
}

static ifn_status check_ids(ifn_context *self, const ifn_token *ids, size_t n)
{
    const int64_t room = self->plan.params.max_pos - self->position;
    if (n > (size_t)room)
        return ifn_fail(self->err, IFN_ERR_ARGUMENT,
                        "%llu tokens after %lld: the context holds %lld", (unsigned long long)n,
                        (long long)self->position, (long long)self->plan.params.max_pos);
    for (size_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= self->h->n_vocab)
            return ifn_fail(self->err, IFN_ERR_ARGUMENT, "token %llu: id %d, expected 0 .. %lld",
                            (unsigned long long)i, ids[i], (long long)self->h->n_vocab - 1);
    return IFN_OK;
}

/* Puts ids and rope rows where the ops of a pass read them. */
static ifn_status put_inputs(ifn_context *self, const ifn_token *ids, const ifn_pass *pass)
{
    const size_t rows = (size_t)pass->rows, head_dim = (size_t)self->h->head_dim;
    self->layer = -1;
    ifn_context_at(self, IFN_POINT_INPUTS);
    for (size_t r = 0; r < rows; r++)
        ifn_model_rope_row(self->model, pass->first_pos + (int64_t)r,
                           self->host.rope + r * head_dim);
    IFN_TRY(IFN_RUN(self, copy_in, .out = self->b.rope, .host = self->host.rope,
                    .bytes = rows * head_dim * sizeof(float)));
    return IFN_RUN(self, copy_in, .out = self->b.ids, .host = ids,
                   .bytes = rows * sizeof(ifn_token));
}

ifn_status ifn_context_read(ifn_context *self, void *host, const void *from, size_t bytes)
{
    ifn_context_at(self, IFN_POINT_READBACK);
    return IFN_RUN(self, copy_out, .host = host, .x = from, .bytes = bytes);
}

static ifn_status read_logits(ifn_context *self, float *out, int64_t rows)
{
    return ifn_context_read(self, out, self->b.logits,
                            (size_t)(rows * self->h->n_vocab) * sizeof *out);
}

static ifn_status logits_of(ifn_context *self, int64_t first, int64_t n)
{
    return self->plan.params.graph == IFN_GRAPH_PRIMITIVE ? ifn_logits_primitive(self, first, n)
                                                          : ifn_logits_fused(self, first, n);
}

/* What one eval computes: positions [begin, end) of the history, logits of [wanted, end). */
typedef struct span {
    int64_t begin, end, wanted;
    float *all; /* host [end - wanted, n_vocab], or NULL: the last row only, left in b.logits */
} span;

static ifn_status run_pass(ifn_context *self, const span *s, const ifn_pass *pass)
{
    IFN_TRY(put_inputs(self, self->host.history + pass->first_pos, pass));
    IFN_TRY(self->plan.params.graph == IFN_GRAPH_PRIMITIVE ? ifn_forward_primitive(self, pass)
                                                           : ifn_forward_fused(self, pass));
    const int64_t end = pass->first_pos + pass->rows;
    if (!s->all)
        return end == s->end ? logits_of(self, pass->rows - 1, 1) : IFN_OK;
    if (end <= s->wanted)
        return IFN_OK;
    const int64_t from = pass->first_pos > s->wanted ? pass->first_pos : s->wanted;
    IFN_TRY(logits_of(self, from - pass->first_pos, end - from));
    return read_logits(self, s->all + (from - s->wanted) * self->h->n_vocab, end - from);
}

static ifn_status run_span(ifn_context *self, const span *s)
{
    for (int64_t at = s->begin; at < s->end;) {
        const int64_t left = s->end - at, max_rows = self->plan.params.max_rows;
        const ifn_pass pass = {.rows = left < max_rows ? left : max_rows, .first_pos = at};
        IFN_TRY(run_pass(self, s, &pass));
        at += pass.rows;
    }
    return IFN_OK;
}

/*
 * Half of the cache at once touches nearly every page of the context, most for the first time. Of a
 * prompt of 512 that was 7 per cent of the time, 3 on two threads. A cache for much longer texts
 * keeps small pages: most of it may never be touched.
 */
static void expect_pages(ifn_context *self, size_t n)
{
    if (self->position == 0 && (int64_t)n >= self->plan.params.max_pos / 2)
        (void)ifn_advise_huge_pages(self->block, self->block_bytes);
}

static ifn_status eval(ifn_context *self, const ifn_token *ids, size_t n, float *all,
                       ifn_error *err)
{
    self->err = err;
    IFN_TRY(check_ids(self, ids, n));
    if (n == 0)
        return IFN_OK;
    memcpy(self->host.history + self->position, ids, n * sizeof *ids);
    const span s = {
        .begin = self->plan.params.kv == IFN_KV_OFF ? 0 : self->position,
        .end = self->position + (int64_t)n,
        .wanted = self->position,
        .all = all,
    };
    expect_pages(self, n);
    self->has_logits = 0;
    IFN_TRY(run_span(self, &s));
    self->position = s.end;
    self->has_logits = all == NULL;
    return IFN_OK;
}

ifn_status ifn_context_eval(ifn_context *self, const ifn_token *ids, size_t n, ifn_error *err)
{
    return eval(self, ids, n, NULL, err);
}

ifn_status ifn_context_eval_all(ifn_context *self, const ifn_token *ids, size_t n, float *out,
                                ifn_error *err)
{
    if (!self->plan.params.all_logits)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "the context was opened without all_logits");
    return eval(self, ids, n, out, err);
}

ifn_status ifn_context_logits(ifn_context *self, float *out, ifn_error *err)
{
    self->err = err;
    if (!self->has_logits)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "no logits: nothing was evaluated yet");
    return read_logits(self, out, 1);
}
