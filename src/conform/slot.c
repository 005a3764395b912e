#include "slot.h"

#include <string.h>

#include "bounds.h"
#include "entry.h"
#include "invoke.h"
#include "pool.h"

conform_declared conform_declared_default(void)
{
    return (conform_declared){.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
}

void conform_poison(void *out, size_t bytes, int which)
{
    static const uint32_t patterns[2] = {0x7fa5a3a1u, 0xffb2b4b6u};
    const uint32_t pattern = patterns[which & 1];
    unsigned char *p = out;
    for (size_t i = 0; i + sizeof pattern <= bytes; i += sizeof pattern)
        memcpy(p + i, &pattern, sizeof pattern);
    memcpy(p + bytes / sizeof pattern * sizeof pattern, &pattern, bytes % sizeof pattern);
}

void conform_prefill(const conform_slot *s, int i, void *out, int which)
{
    const conform_tensor *t = &s->layout.t[i];
    if (t->role == ROLE_INOUT)
        memcpy(out, s->before[i], t->bytes);
    else
        conform_poison(out, t->bytes, which);
}

static void take_inputs(conform_slot *s, const conform_module *m, conform_pool *pool)
{
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        s->before[i] = conform_pool_take(pool, t->bytes, 1);
        conform_poison(s->before[i], t->bytes, 0);
    }
    m->fill(&s->c, &s->layout, s->before);
}

static void mark_written(conform_slot *s)
{
    for (int i = 0; i < s->layout.n; i++) {
        const conform_role role = s->layout.t[i].role;
        const int judged = s->truth[i].want || s->truth[i].raw;
        s->is_written[i] = role == ROLE_OUT || role == ROLE_INOUT || judged;
    }
}

/* The scalar backend on the same inputs, in plain memory: guards are the worker's business. */
static void run_reference(conform_slot *s, const conform_module *m, ifn_backend *scalar,
                          conform_pool *pool)
{
    void *data[CONFORM_MAX_TENSORS];
    conform_call call = {0};
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        data[i] = t->absent ? NULL : s->before[i];
        if (!s->is_written[i] || t->absent)
            continue;
        data[i] = s->reference[i] = conform_pool_take(pool, t->bytes, 1);
        conform_prefill(s, i, data[i], 0);
    }
    m->bind(&s->bound, &s->layout, data, &call);
    const ifn_limits limits = conform_call_limits(s->c.op, &call, &s->layout);
    call.args.call.n_lanes = 1;
    call.args.call.scratch_bytes = ifn_backend_scratch_bytes(scalar, &limits);
    call.args.call.scratch = conform_pool_take(pool, call.args.call.scratch_bytes, 1);
    s->reference_status = conform_op_entry(s->c.op)(scalar, &call.args.call);
}

ifn_status conform_slot_build(conform_slot *out, conform_pool *pool, const conform_case *c,
                              const spec_op *spec, ifn_backend *scalar, ifn_error *err)
{
    const conform_module *m = conform_module_of(c->op);
    const conform_declared strict = conform_declared_default();
    *out = (conform_slot){.c = *c, .bound = *c};
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        out->laid_over[i] = -1;
    IFN_TRY(m->layout(c, &out->layout));
    take_inputs(out, m, pool);
    IFN_TRY(conform_entry_inputs(out, spec, err));
    if (out->expected == IFN_OK)
        m->truth(c, &out->layout, out->before, &strict, pool, out->truth);
    IFN_TRY(conform_entry_truth(out, err));
    mark_written(out);
    if (scalar && out->expected == IFN_OK)
        run_reference(out, m, scalar, pool);
    return IFN_OK;
}
