#include "slot.h"
#include "case_call.h"

#include <stdbool.h>
#include <string.h>

#include "bounds.h"
#include "case_pool.h"
#include "exhaustive.h"
#include "golden.h"
#include "invoke.h"
#include "long_case.h"
#include "sampled.h"

void conform_fill_words(void *out, size_t bytes, uint32_t word)
{
    enum { WORDS = 64 };
    uint32_t many[WORDS]; /* at a time */
    unsigned char *p = out;
    for (int i = 0; i < WORDS; i++)
        many[i] = word;
    for (; bytes > sizeof many; bytes -= sizeof many, p += sizeof many)
        memcpy(p, many, sizeof many);
    memcpy(p, many, bytes);
}

void conform_poison(void *out, size_t bytes, int which)
{
    static const uint32_t patterns[2] = {0x7fa5a3a1u, 0xffb2b4b6u};
    conform_fill_words(out, bytes, patterns[which & 1]);
}

void conform_prefill(const conform_slot *s, int i, void *out, int which)
{
    const conform_tensor *t = &s->layout.t[i];
    if (t->role == ROLE_INOUT)
        memcpy(out, s->before[i], t->bytes);
    else
        conform_poison(out, t->bytes, which);
}

static ifn_status fill_inputs(conform_slot *s, const conform_module *m, conform_pool *pool,
                              ifn_error *err)
{
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        s->before[i] = conform_pool_take_raw(pool, t->bytes, 1);
        conform_poison(s->before[i], t->bytes, 0);
    }
    if (s->c.tier == TIER_GOLDEN)
        return conform_golden_fill(&s->layout, s->entry, s->before, err);
    if (s->c.family == FAMILY_EVERY)
        conform_every_fill(&s->c, &s->layout, s->before);
    else
        m->fill(&s->c, &s->layout, s->before);
    if (s->c.tier != TIER_REFUSE)
        return IFN_OK;
    conform_call call = {0}; /* binding applies the entry's change to the inputs */
    return conform_slot_bind(s, s->before, &call, err);
}

static void mark_written(conform_slot *s)
{
    for (int i = 0; i < s->layout.n; i++) {
        const conform_role role = s->layout.t[i].role;
        const int judged = s->truth[i].want || s->truth[i].raw;
        s->is_written[i] = (role != ROLE_IN && role != ROLE_HOST) || judged;
    }
}

ifn_status conform_slot_bind(const conform_slot *s, void *const *data, conform_call *call,
                             ifn_error *err)
{
    if (s->c.tier == TIER_REFUSE)
        return conform_refuse_bind(s->spec, &s->c, &s->layout, data, call, err);
    conform_case_bind(&s->c, &s->layout, data, call);
    return IFN_OK;
}

/* Runs in plain memory; only workers place guard pages. */
ifn_status conform_slot_reference(conform_slot *s, ifn_backend *scalar, conform_pool *pool,
                                  ifn_error *err)
{
    void *data[CONFORM_MAX_TENSORS];
    conform_call call = {0};
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        data[i] = t->absent ? NULL : s->before[i];
        if (!s->is_written[i] || t->absent)
            continue;
        data[i] = s->reference[i] = conform_pool_take_raw(pool, t->bytes, 1);
        conform_prefill(s, i, data[i], 0);
    }
    IFN_TRY(conform_slot_bind(s, data, &call, err));
    const ifn_limits limits = conform_call_limits(s->c.op, &call, &s->layout);
    call.args.call.n_lanes = 1;
    call.args.call.scratch_bytes = ifn_backend_scratch_bytes(scalar, &limits);
    call.args.call.scratch = conform_pool_take(pool, call.args.call.scratch_bytes, 1);
    s->reference_status = conform_op_entry(s->c.op)(scalar, &call.args.call);
    if (s->reference_status == IFN_OK && conform_next_phase(s->c.op, &call))
        s->reference_status = conform_op_entry(s->c.op)(scalar, &call.args.call);
    return IFN_OK;
}

static ifn_status find_entry(conform_slot *s, ifn_error *err)
{
    const int refuse = s->c.tier == TIER_REFUSE;
    if (!refuse && s->c.tier != TIER_GOLDEN)
        return IFN_OK;
    const int n = !s->spec ? 0 : refuse ? s->spec->n_refuse : s->spec->n_golden;
    if (s->c.index < 1 || s->c.index > (uint32_t)n)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: entry %u of the spec, which has %d",
                        ifn_op_name(s->c.op), (unsigned)s->c.index, n);
    s->entry = refuse ? &s->spec->refuse[s->c.index - 1] : &s->spec->golden[s->c.index - 1];
    s->expected = refuse ? s->entry->status : IFN_OK;
    return IFN_OK;
}

/* False for long cases, which are not compared with scalar; true for a row set of medium size, as its encoder's error
 * is compared with scalar's. */
static bool needs_reference(const conform_slot *s)
{
    bool is_row_set = false;
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        is_row_set |= s->truth[i].is_row_set != 0;
    return !conform_is_long(&s->c) ||
           (is_row_set && conform_largest_tensor(&s->c) <= LONG_ELEMENTS);
}

static ifn_status build(conform_slot *out, conform_pool *pool, const conform_case *c,
                        ifn_backend *scalar, ifn_error *err)
{
    const conform_module *m = conform_module_of(c->op);
    const conform_declared strict = conform_declared_default();
    IFN_TRY(find_entry(out, err));
    IFN_TRY(conform_case_layout(c, &out->layout));
    IFN_TRY(fill_inputs(out, m, pool, err));
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        out->truth[i].is_sampled = conform_is_sampled(c);
    if (out->expected == IFN_OK)
        m->truth(c, &out->layout, out->before, &strict, pool, out->truth);
    mark_written(out);
    if (scalar && out->expected == IFN_OK && needs_reference(out))
        return conform_slot_reference(out, scalar, pool, err);
    return IFN_OK;
}

/* True if the product of the dimensions is so large that byte counts may overflow. Sizes within the limits of the spec
 * never are; dims that are shifts do not count. */
static bool is_beyond_counting(const conform_case *c, const spec_op *spec)
{
    const conform_module *m = conform_module_of(c->op);
    bool is_within_limits = true;
    double product = 1;
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        const spec_dim *dim = spec ? spec_find_dim(spec, m->dim_names[i]) : NULL;
        if (dim && !spec_dim_counts(dim))
            continue;
        is_within_limits &= dim && c->dim[i] <= dim->limit;
        product *= c->dim[i] > 1 ? (double)c->dim[i] : 1.0;
    }
    return !is_within_limits && product > 0x1p56;
}

static ifn_status no_memory(conform_slot *out, ifn_error *err)
{
    out->is_void = 1;
    return ifn_fail(err, IFN_ERR_NOMEM, "%s: no memory for a case of this size",
                    ifn_op_name(out->c.op));
}

/* If the pool runs out of memory, it returns here by longjmp; resetting the pool releases what was taken so far. */
ifn_status conform_slot_build(conform_slot *out, conform_pool *pool, const conform_case *c,
                              const spec_op *spec, ifn_backend *scalar, ifn_error *err)
{
    jmp_buf exhausted;
    *out = (conform_slot){.c = *c, .spec = spec};
    if (is_beyond_counting(c, spec))
        return no_memory(out, err);
    pool->exhausted = &exhausted;
    if (setjmp(exhausted)) {
        pool->exhausted = NULL;
        return no_memory(out, err);
    }
    const ifn_status status = build(out, pool, c, scalar, err);
    pool->exhausted = NULL;
    return status;
}

ifn_status conform_slot_beside(conform_slot *out, conform_pool *pool, const conform_case *c,
                               const conform_slot *like, ifn_backend *scalar, ifn_error *err)
{
    *out = (conform_slot){.c = *c, .spec = like->spec};
    IFN_TRY(conform_case_layout(c, &out->layout));
    if (out->layout.n != like->layout.n)
        return IFN_ERR_SHAPE;
    memcpy(out->is_written, like->is_written, sizeof out->is_written);
    IFN_TRY(fill_inputs(out, conform_module_of(c->op), pool, err));
    return conform_slot_reference(out, scalar, pool, err);
}
