/*
 * Calls that are illegal in two ways, or in one way with another value: a backend that looks at one argument after the
 * other, or at the first only, may accept one of them. Illegal calls with nothing to do are not among them: a backend
 * that returns before it has looked at all arguments does no harm then (numerics 10: refusals).
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arg_fields.h"
#include "golden.h"
#include "invoke.h"
#include "judge_run.h"

static const conform_beside nothing = {.dim = -1, .dtype = -1};

static const spec_entry *entry_beside(const judge_run *r, const conform_beside *b)
{
    return b->entry ? &r->slot->spec->refuse[b->entry - 1] : NULL;
}

/* Binds such a call as the case is bound, scratch included. Returns false if there is no such call: without a weight,
 * nothing of it can be wrong. */
static bool bind(judge_run *r, const conform_beside *b)
{
    ifn_error ignored = {0};
    const ifn_call was = r->call.args.call;
    const conform_slot *const s = r->slot;
    r->call = (conform_call){0};
    const ifn_status status =
        conform_refuse_bind_beside(s->spec, &s->c, b, &s->layout, r->data, &r->call, &ignored);
    r->call.args.call.n_lanes = was.n_lanes;
    r->call.args.call.scratch = was.scratch;
    r->call.args.call.scratch_bytes = was.scratch_bytes;
    conform_set_unused(s->c.op, &r->call, r->unused.at[PLACE_END]);
    return status == IFN_OK;
}

static void describe(const judge_run *r, const conform_beside *b, char *out, size_t bytes)
{
    const spec_entry *const entry = entry_beside(r, b);
    if (entry)
        snprintf(out, bytes, "and %s", entry->name);
    else if (b->dim >= 0)
        snprintf(out, bytes, "%s %lld", r->module->dim_names[b->dim], (long long)b->size);
    else
        snprintf(out, bytes, "dtype %d", b->dtype);
}

/* True if the status refuses the call. Of two errors either may be returned; an unsupported dtype comes first. */
static bool is_refusal(const judge_run *r, const conform_beside *b, ifn_status checked,
                       ifn_status status)
{
    const spec_entry *const entry = entry_beside(r, b);
    return status == checked || status == r->slot->expected || (entry && status == entry->status) ||
           status == IFN_ERR_UNSUPPORTED;
}

/* Tries one such call. A call that the shared checker accepts is legal, and is not made: it may need more memory than
 * there is. */
static void try_one(judge_run *r, const conform_beside *b)
{
    char what[100];
    if (judge_failed(r) || !bind(r, b))
        return;
    const ifn_status checked = ifn_op_check(r->slot->c.op, &r->call.args.call, NULL);
    if (checked == IFN_OK)
        return;
    const ifn_status status = judge_call(r, r->judge->backend, RUN_VALUE);
    if (is_refusal(r, b, checked, status))
        return;
    describe(r, b, what, sizeof what);
    conform_verdict_fail(r->verdict, CHECK_STATUS, "returned %s, expected %s: %s, %s",
                         ifn_status_name(status), ifn_status_name(checked), r->slot->entry->name,
                         what);
}

static bool is_contents(const judge_run *r, const spec_values *v)
{
    const conform_layout *const l = &r->slot->layout;
    if (v->kind == SPEC_NULL || v->kind == SPEC_NAMED || conform_has_field(r->slot->c.op, v->name))
        return false;
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->t[i].name, v->name) == 0)
            return true;
    return false;
}

/* True if the entry changes arguments alone, and each is one that the op itself must check. */
static bool can_stand_beside(const judge_run *r, const spec_entry *entry)
{
    for (int i = 0; i < entry->n_values; i++)
        if (is_contents(r, &entry->values[i]))
            return false;
    return !judge_is_callers_duty(entry);
}

static void try_entries(judge_run *r)
{
    const spec_op *const spec = r->slot->spec;
    for (uint32_t i = r->slot->c.index + 1; i <= (uint32_t)spec->n_refuse; i++) {
        conform_beside b = nothing;
        b.entry = i;
        if (can_stand_beside(r, &spec->refuse[i - 1]))
            try_one(r, &b);
    }
}

static bool sets_a_stride(const spec_entry *entry)
{
    for (int i = 0; i < entry->n_values; i++)
        if (strstr(entry->values[i].name, "stride"))
            return true;
    return false;
}

/* Tries size 1 for each size above 1 that the entry does not set, unless it sets a stride, which a single row does not
 * need. A size below 0 is also tried so far below that its lower 32 bits are legal or 0. */
static void try_sizes(judge_run *r)
{
    const conform_case *const legal = &r->slot->c;
    for (int d = 0; d < CONFORM_MAX_DIMS && r->module->dim_names[d]; d++) {
        const spec_values *const own = spec_find_values(r->slot->entry, r->module->dim_names[d]);
        conform_beside b = nothing;
        b.dim = d;
        b.size = 1;
        if (!own && legal->dim[d] > 1 && !sets_a_stride(r->slot->entry))
            try_one(r, &b);
        if (!own || own->kind != SPEC_NUMBERS || own->values[0] >= 0)
            continue;
        b.size = legal->dim[d] - ((int64_t)1 << 32);
        try_one(r, &b);
        b.size = -((int64_t)1 << 62);
        try_one(r, &b);
    }
}

/* Tries every dtype if the entry names one, and two that do not exist. */
static void try_dtypes(judge_run *r)
{
    const spec_entry *const entry = r->slot->entry;
    const bool is_named = spec_find_values(entry, "dtype") || spec_find_values(entry, "out_dtype");
    conform_beside b = nothing;
    for (b.dtype = 0; is_named && b.dtype <= IFN_DTYPE_COUNT; b.dtype++)
        try_one(r, &b);
    b.dtype = 255;
    if (is_named)
        try_one(r, &b);
}

void judge_refuse_more(judge_run *r)
{
    if (judge_is_callers_duty(r->slot->entry))
        return;
    judge_start(r);
    try_sizes(r);
    try_dtypes(r);
    try_entries(r);
    judge_check_memory(r, r->home, RUN_VALUE, 0);
    if (!judge_failed(r))
        judge_expect_untouched(r, 0, "with more changed: ");
}
