/* Opening, sharing and closing weights. */
#include "weights_priv.h"

#include "alloc_priv.h"
#include "sized.h"
#include "weights_cache.h"

static void add(ifn_weight_group *group, const ifn_tensor *raw)
{
    group->w[group->n++] = (ifn_weight){.raw = raw};
}

static void group_layer(const ifn_layer *from, ifn_layer_weights *to)
{
    add(&to->qkv, from->attn_q);
    add(&to->qkv, from->attn_k);
    add(&to->qkv, from->attn_v);
    add(&to->attn_output, from->attn_output);
    add(&to->gate_up, from->ffn_gate);
    add(&to->gate_up, from->ffn_up);
    add(&to->ffn_down, from->ffn_down);
}

static ifn_status collect(ifn_weights *self, ifn_error *err)
{
    const int64_t n_layers = ifn_model_hparams(self->model)->n_layers;
    self->layers = ifn_alloc_zeroed(self->alloc, (size_t)n_layers, sizeof *self->layers);
    if (!self->layers)
        return ifn_fail(err, IFN_ERR_NOMEM, "weights: out of memory for %lld blocks",
                        (long long)n_layers);
    self->n_layers = n_layers;
    for (int64_t i = 0; i < n_layers; i++)
        group_layer(ifn_model_layer(self->model, i), &self->layers[i]);
    add(&self->token_embd, ifn_model_tensors_of(self->model)->token_embd);
    add(&self->output, ifn_model_tensors_of(self->model)->output);
    return IFN_OK;
}

enum { GROUPS_OF_LAYER = 4 };

static int64_t count_groups(const ifn_weights *self)
{
    return 1 + GROUPS_OF_LAYER * self->n_layers + 1;
}

/* Group i in the order of preparation. The output, the largest, comes first: while it is packed, nothing else
 * packed takes memory yet. */
static ifn_weight_group *group_at(ifn_weights *self, int64_t i)
{
    if (i == 0)
        return &self->output;
    if (i == count_groups(self) - 1)
        return &self->token_embd;
    ifn_layer_weights *const l = &self->layers[(i - 1) / GROUPS_OF_LAYER];
    ifn_weight_group *const its[] = {&l->qkv, &l->attn_output, &l->gate_up, &l->ffn_down};
    _Static_assert(sizeof its / sizeof *its == GROUPS_OF_LAYER, "groups of a layer");
    return its[(i - 1) % GROUPS_OF_LAYER];
}

static int64_t group_bytes(const ifn_weight_group *group)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < group->n; i++)
        bytes += (int64_t)ifn_matrix_bytes(group->w[i].raw);
    return bytes;
}

/* The uses of a group. Tied embeddings, which are the output matrix too, are packed once, for both uses. */
static uint32_t uses_of(const ifn_weights *self, const ifn_weight_group *group)
{
    const bool is_tied = self->token_embd.w[0].raw == self->output.w[0].raw;
    const uint32_t products = IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 | IFN_USE_MATMUL;
    if (group == &self->token_embd)
        return is_tied ? 0 : self->uses & ~products;
    return group == &self->output && is_tied ? self->uses
                                             : self->uses & ~(uint32_t)IFN_USE_GATHER_ROWS;
}

ifn_status ifn_weights_each_group(ifn_weights *self, const ifn_progress *progress, ifn_group_fn fn,
                                  ifn_error *err)
{
    int64_t total = 0, done = 0;
    for (int64_t i = 0; i < count_groups(self); i++)
        total += group_bytes(group_at(self, i));
    for (int64_t i = 0; i < count_groups(self); i++) {
        ifn_weight_group *const group = group_at(self, i);
        IFN_TRY(fn(self, group, uses_of(self, group), err));
        done += group_bytes(group);
        if (progress)
            progress->step(progress->cookie, done, total);
    }
    return IFN_OK;
}

static ifn_status prepare_and_transpose(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                        ifn_error *err)
{
    if (!self->raw)
        IFN_TRY(ifn_weights_prepare_group(self, group, uses, err));
    IFN_TRY(ifn_weights_transpose_group(self, group, uses, err));
    ifn_weights_drop_packed(self, group, uses);
    if (self->max_bytes == 0 || self->bytes <= self->max_bytes)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_NOMEM,
                    "weights: out of memory: prepared for %s they take more than the %llu bytes "
                    "allowed",
                    ifn_backend_expression(self->backend), (unsigned long long)self->max_bytes);
}

static ifn_status find_cache(ifn_weights *self, const ifn_weights_params *how, ifn_error *err)
{
    if (!how->cache)
        return IFN_OK;
    IFN_TRY(ifn_weights_cache_open(self, how, &self->cache, err));
    if (!self->raw)
        IFN_TRY(ifn_weights_each_group(self, NULL, ifn_weights_expect_group, err));
    self->is_cached = ifn_weights_cache_find(self->cache, self);
    return IFN_OK;
}

static ifn_status fill(ifn_weights *self, const ifn_weights_params *how, ifn_error *err)
{
    IFN_TRY(collect(self, err));
    IFN_TRY(ifn_weights_place_vectors(self, err));
    IFN_TRY(find_cache(self, how, err));
    IFN_TRY(ifn_weights_each_group(self, how->progress, prepare_and_transpose, err));
    if (self->cache && !self->is_cached)
        ifn_weights_cache_keep(self->cache);
    if (uses_of(self, &self->token_embd) == 0)
        self->token_embd.w[0].handle[IFN_WEIGHT_GATHER_ROWS] =
            self->output.w[0].handle[IFN_WEIGHT_GATHER_ROWS];
    return self->has_dropped && !self->vectors ? ifn_weights_copy_vectors(self, err) : IFN_OK;
}

ifn_status ifn_weights_open_with(const ifn_model *model, ifn_backend *backend,
                                 const ifn_weights_params *params, const ifn_allocator *alloc,
                                 ifn_weights **out, ifn_error *err)
{
    ifn_weights_params how;
    *out = NULL;
    IFN_TRY(ifn_sized_read(&how, sizeof how, params, "ifn_weights_params", err));
    alloc = ifn_allocator_or_default(alloc);
    ifn_weights *self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "weights: out of memory");
    atomic_init(&self->refs, 1);
    self->alloc = alloc;
    self->model = model;
    self->backend = backend;
    self->uses = how.uses;
    self->raw = how.raw;
    self->max_bytes = how.max_bytes;
    const ifn_status status = fill(self, &how, err);
    if (status != IFN_OK) {
        ifn_weights_unref(self);
        return status;
    }
    *out = self;
    return IFN_OK;
}

ifn_status ifn_weights_open(const ifn_model *model, ifn_backend *backend, uint32_t uses,
                            const ifn_progress *progress, const ifn_allocator *alloc,
                            ifn_weights **out, ifn_error *err)
{
    const ifn_weights_params params =
        IFN_SIZED(ifn_weights_params, .uses = uses, .progress = progress);
    return ifn_weights_open_with(model, backend, &params, alloc, out, err);
}

ifn_weights *ifn_weights_ref(ifn_weights *self)
{
    atomic_fetch_add_explicit(&self->refs, 1, memory_order_relaxed);
    return self;
}

static ifn_status release(ifn_weights *self, ifn_weight_group *group, uint32_t uses, ifn_error *err)
{
    (void)uses;
    (void)err;
    ifn_weights_release_group(group);
    ifn_weights_free_transposed(self, group);
    return IFN_OK;
}

void ifn_weights_unref(ifn_weights *self)
{
    if (!self || atomic_fetch_sub_explicit(&self->refs, 1, memory_order_acq_rel) != 1)
        return;
    (void)ifn_weights_each_group(self, NULL, release, NULL);
    ifn_weights_free_vectors(self);
    ifn_weights_cache_close(self->cache);
    ifn_free_array(self->alloc, self->layers, (size_t)self->n_layers, sizeof *self->layers);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

uint64_t ifn_weights_bytes(const ifn_weights *self)
{
    return self->bytes;
}

int64_t ifn_weights_prepared(const ifn_weights *self)
{
    return self->n_prepared;
}

int64_t ifn_weights_adopted(const ifn_weights *self)
{
    return self->n_adopted;
}
