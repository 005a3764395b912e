/* Opens and closes contexts, and evaluates ids in sequence 0. */
#include "context_priv.h"

#include "alloc_priv.h"
#include "kv_pages.h"

/* Fails with IFN_ERR_NOMEM. If the backend is a device that gives a reason, the message is that reason. */
static ifn_status say_no_memory(const ifn_context *self, uint64_t bytes, ifn_error *err)
{
    const long long tokens = (long long)self->plan.params.max_pos;
    ifn_error why;
    if (!self->block && ifn_backend_is_device(self->backend) &&
        ifn_backend_explain(self->backend, &why))
        return ifn_fail(err, IFN_ERR_NOMEM, "a context of %lld tokens: %s", tokens, why.text);
    return ifn_fail(err, IFN_ERR_NOMEM, "a context of %lld tokens: out of memory for %llu bytes",
                    tokens, (unsigned long long)bytes);
}

static ifn_status take_blocks(ifn_context *self, const ifn_plan *plan, ifn_error *err)
{
    const ifn_allocator *buffers = self->backend->buffers;
    self->block_bytes = (size_t)(plan->kv_bytes + plan->buffer_bytes);
    self->host_bytes = (size_t)plan->host_bytes;
    self->block = buffers->alloc(buffers->cookie, self->block_bytes, IFN_ALIGN);
    self->host_block = self->alloc->alloc(self->alloc->cookie, self->host_bytes, IFN_ALIGN);
    if (!self->block || !self->host_block)
        return say_no_memory(self, plan->total_bytes - plan->f32_weight_bytes, err);
    ifn_arena arena;
    ifn_arena_init(&arena, self->block, self->block_bytes);
    ifn_plan_buffers(self->h, &self->plan, &arena, &self->b);
    ifn_arena_init(&arena, self->host_block, self->host_bytes);
    ifn_plan_host(self->h, &self->plan, &arena, &self->host);
    for (int32_t i = 0; i < self->plan.params.n_sequences; i++)
        self->host.sequences[i] = (ifn_sequence){.logits_row = -1, .is_used = i == 0};
    ifn_kv_pages_clear(self);
    return IFN_OK;
}

static ifn_status open_on(ifn_context *self, const ifn_context_params *params, ifn_error *err)
{
    ifn_plan plan = IFN_PLAN_INIT;
    IFN_TRY(ifn_plan_resolve(self->model, self->backend, params, &self->plan, err));
    const uint32_t needs = ifn_context_uses(self->model, &self->plan.params);
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
    if (self->block) /* waits for ops that a device may still run on the block */
        (void)ifn_backend_synchronize(self->backend, self->plan.params.lane);
    release_block(self->backend->buffers, self->block, self->block_bytes);
    release_block(self->alloc, self->host_block, self->host_bytes);
    ifn_weights_unref(self->weights);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

int64_t ifn_context_max_position(const ifn_context *self)
{
    return self->plan.params.max_pos;
}

/* Evaluates a batch of one part, in sequence 0. */
static ifn_status eval(ifn_context *self, const ifn_batch_part *part, ifn_error *err)
{
    return part->n == 0 ? IFN_OK : ifn_context_eval_batch(self, &(ifn_batch){1, part}, err);
}

ifn_status ifn_context_eval(ifn_context *self, const ifn_token *ids, size_t n, ifn_error *err)
{
    return eval(self, &(ifn_batch_part){.n = n, .ids = ids, .n_logits = 1}, err);
}

ifn_status ifn_context_eval_all(ifn_context *self, const ifn_token *ids, size_t n, float *out,
                                ifn_error *err)
{
    if (!self->plan.params.all_logits)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "the context was opened without all_logits");
    return eval(self, &(ifn_batch_part){.n = n, .ids = ids, .n_logits = n, .logits = out}, err);
}
