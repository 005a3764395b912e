/* Decides which backend prepares which weight, and which op may get which handle. */
#include "min_max.h"

#include "reason.h"
#include "weights_cache.h"
#include "weights_priv.h"
#include <stdbool.h>

static const struct {
    ifn_op op;
    uint32_t bit;
} uses_by_index[] = {
#define X(NAME, bit) {IFN_OP_##NAME, bit},
    IFN_WEIGHT_USES(X)
#undef X
};

/*
 * The uses whose ops will really read this group: linear reads weights that are not quantized whatever
 * the activations are, so linear and linear_q8 both read a mixed group.
 */
static uint32_t uses_of(const ifn_weight_group *group, uint32_t uses)
{
    uint32_t real = uses & ~(uint32_t)(IFN_USE_LINEAR | IFN_USE_LINEAR_Q8);
    if (!(uses & (IFN_USE_LINEAR | IFN_USE_LINEAR_Q8)))
        return real;
    for (int64_t i = 0; i < group->n; i++)
        real |= ifn_dtype_is_quantized(group->w[i].raw->dtype)
                    ? uses & (IFN_USE_LINEAR | IFN_USE_LINEAR_Q8)
                    : IFN_USE_LINEAR;
    return real;
}

/* The bits of `uses` whose ops the backend `who` itself runs. */
static uint32_t uses_run_by(ifn_backend *chain, const ifn_backend *who, uint32_t uses)
{
    uint32_t its = uses & (IFN_USE_ONE_ROW | IFN_USE_MANY_ROWS);
    for (size_t i = 0; i < IFN_WEIGHT_USE_COUNT; i++)
        if (uses & uses_by_index[i].bit &&
            ifn_backend_implementer(chain, uses_by_index[i].op) == who)
            its |= uses_by_index[i].bit;
    return its;
}

static bool is_before(ifn_backend *chain, size_t index, uint32_t uses)
{
    ifn_backend *who = ifn_backend_implementer(chain, uses_by_index[index].op);
    for (size_t i = 0; i < index; i++)
        if (uses & uses_by_index[i].bit &&
            ifn_backend_implementer(chain, uses_by_index[i].op) == who)
            return 1;
    return 0;
}

/* Stores a packed weight. Only ops that its mask names and its maker runs get the handle; others read raw. */
static void keep(ifn_weights *self, ifn_weight *w, size_t slot, ifn_backend *who, ifn_packed packed,
                 uint32_t its_uses)
{
    w->packed[slot] = packed;
    w->packed_by[slot] = who;
    self->bytes += packed.bytes;
    for (size_t i = 0; i < IFN_WEIGHT_USE_COUNT; i++)
        if (packed.data && packed.ops & its_uses & uses_by_index[i].bit)
            w->handle[i] = packed.data;
}

/* Makes, adopts or announces what the backend `who` prepares of a group for the ops of its_uses. */
typedef ifn_status maker_fn(ifn_weights *self, ifn_weight_group *group, size_t slot,
                            ifn_backend *who, uint32_t its_uses, ifn_error *err);

/* Adopts the cached image of each weight, in the order in which they were expected. */
static ifn_status adopt_by(ifn_weights *self, ifn_weight_group *group, size_t slot,
                           ifn_backend *who, uint32_t its_uses, ifn_error *err)
{
    for (int64_t i = 0; i < group->n; i++) {
        ifn_weight *const w = &group->w[i];
        ifn_packed packed = {0};
        if (!ifn_weights_cache_knows(who, w->raw, its_uses))
            continue;
        IFN_TRY(ifn_weights_cache_adopt(self->cache, who, w->raw, its_uses, &packed, err));
        keep(self, w, slot, who, packed, its_uses);
        self->n_adopted++;
    }
    return IFN_OK;
}

/* Prepares, in one call, all weights of the group that are not adopted from the cache. */
static ifn_status prepare_by(ifn_weights *self, ifn_weight_group *group, size_t slot,
                             ifn_backend *who, uint32_t its_uses, ifn_error *err)
{
    const ifn_tensor *raw[IFN_LINEAR_MAX];
    ifn_weight *to[IFN_LINEAR_MAX];
    ifn_packed packed[IFN_LINEAR_MAX] = {{0}};
    ifn_error own = {.status = IFN_OK, .text = ""};
    int n = 0;
    for (int64_t i = 0; i < group->n; i++) {
        const ifn_tensor *const w = group->w[i].raw;
        if (self->is_cached && ifn_weights_cache_knows(who, w, its_uses))
            continue;
        to[n] = &group->w[i];
        raw[n++] = w;
    }
    if (n == 0)
        return IFN_OK;
    const ifn_status status = who->desc->prepare(who, raw, n, its_uses, packed, &own);
    IFN_TRY(ifn_with_reason(status, &own, who->desc->name, "prepare", err));
    for (int i = 0; i < n; i++) {
        keep(self, to[i], slot, who, packed[i], its_uses);
        self->n_prepared += packed[i].data != NULL;
        if (self->cache && ifn_weights_cache_knows(who, raw[i], its_uses))
            ifn_weights_cache_add(self->cache, who, &packed[i]);
    }
    return IFN_OK;
}

static ifn_status make_by(ifn_weights *self, ifn_weight_group *group, size_t slot, ifn_backend *who,
                          uint32_t its_uses, ifn_error *err)
{
    if (self->is_cached)
        IFN_TRY(adopt_by(self, group, slot, who, its_uses, err));
    return prepare_by(self, group, slot, who, its_uses, err);
}

static ifn_status expect_by(ifn_weights *self, ifn_weight_group *group, size_t slot,
                            ifn_backend *who, uint32_t its_uses, ifn_error *err)
{
    (void)slot;
    for (int64_t i = 0; i < group->n; i++)
        if (ifn_weights_cache_knows(who, group->w[i].raw, its_uses))
            IFN_TRY(ifn_weights_cache_expect(self->cache, who, group->w[i].raw, its_uses, err));
    return IFN_OK;
}

static ifn_status each_maker(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                             maker_fn *make, ifn_error *err)
{
    uses = uses_of(group, uses);
    for (size_t i = 0; i < IFN_WEIGHT_USE_COUNT; i++) {
        if (!(uses & uses_by_index[i].bit) || is_before(self->backend, i, uses))
            continue;
        ifn_backend *who = ifn_backend_implementer(self->backend, uses_by_index[i].op);
        if (who->desc->prepare)
            IFN_TRY(make(self, group, i, who, uses_run_by(self->backend, who, uses), err));
    }
    return IFN_OK;
}

ifn_status ifn_weights_prepare_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                     ifn_error *err)
{
    return each_maker(self, group, uses, make_by, err);
}

ifn_status ifn_weights_expect_group(ifn_weights *self, ifn_weight_group *group, uint32_t uses,
                                    ifn_error *err)
{
    return each_maker(self, group, uses, expect_by, err);
}

/* True if an op of `uses` multiplies by the raw bytes. gather_rows does not count: it reads only few rows. */
static bool is_read_as_it_is(const ifn_weight *w, uint32_t uses)
{
    uses &= ~(uint32_t)IFN_USE_GATHER_ROWS;
    if (uses & IFN_USE_MATMUL && !w->transposed)
        return true;
    for (size_t i = 0; i < IFN_WEIGHT_USE_COUNT; i++)
        if (uses & uses_by_index[i].bit && !w->handle[i])
            return true;
    return false;
}

void ifn_weights_drop_packed(ifn_weights *self, const ifn_weight_group *group, uint32_t uses)
{
    uses = uses_of(group, uses);
    if (!(uses & (IFN_USE_MATMUL | IFN_USE_LINEAR | IFN_USE_LINEAR_Q8)))
        return;
    for (int64_t i = 0; i < group->n; i++) {
        const ifn_tensor *const raw = group->w[i].raw;
        if (is_read_as_it_is(&group->w[i], uses))
            continue;
        ifn_gguf_drop(ifn_model_gguf(self->model), raw->data, ifn_matrix_bytes(raw));
        self->has_dropped = true;
    }
}

void ifn_weights_release_group(ifn_weight_group *group)
{
    for (int64_t i = 0; i < group->n; i++) {
        for (size_t slot = 0; slot < IFN_WEIGHT_USE_COUNT; slot++) {
            ifn_backend *who = group->w[i].packed_by[slot];
            if (who && who->desc->release)
                who->desc->release(who, &group->w[i].packed[slot]);
        }
    }
}

ifn_limits ifn_weights_limits(const ifn_model *model, int64_t rows, int64_t max_pos)
{
    const ifn_hparams *h = ifn_model_hparams(model);
    const int64_t q_dim = h->n_heads * h->head_dim, kv_dim = h->n_kv_heads * h->head_dim;
    return (ifn_limits){
        .limits_bytes = (uint32_t)sizeof(ifn_limits),
        .rows = rows,
        .max_pos = max_pos,
        .k = ifn_max(ifn_max(h->n_embd, h->n_ff), q_dim),
        .n = ifn_max(ifn_max(h->n_vocab, 2 * h->n_ff), ifn_max(q_dim + 2 * kv_dim, h->n_embd)),
        .n_heads = h->n_heads,
        .n_kv_heads = h->n_kv_heads,
        .head_dim = h->head_dim,
    };
}
