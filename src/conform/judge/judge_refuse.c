/* Decides which calls a backend must refuse by itself, and which its callers must not make. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/signature.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"

/* True for null pointers, overlaps and parts outside the op: callers owe every backend to avoid them, and only `check`
 * looks (spec/backend.yaml). An op refuses by itself sizes, parameters and what its header states. */
bool judge_is_callers_duty(const spec_entry *entry)
{
    for (int i = 0; !entry->is_stated && i < entry->n_values; i++) {
        const spec_values *v = &entry->values[i];
        const bool is_dtype = strcmp(v->name, "dtype") == 0 || strcmp(v->name, "out_dtype") == 0;
        if (v->kind == SPEC_NULL || (v->kind == SPEC_NAMED && !is_dtype) ||
            strcmp(v->name, "part") == 0 || strcmp(v->name, "part2") == 0)
            return 1;
    }
    return 0;
}

/* True if a tensor ("w_0" for the arg w) is in host memory. */
static bool is_of_host(ifn_op op, const char *tensor)
{
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(tensor, "_0123456789"), tensor);
    const ifn_op_arg *const whole = ifn_op_arg_find(op, tensor);
    const ifn_op_arg *const a = whole ? whole : ifn_op_arg_find(op, name);
    return a && (a->is_host || a->kind == IFN_ARG_WEIGHT);
}

/* True if the case can be called. A tensor laid over host memory is in host memory, too, which a device cannot be
 * called with. */
static bool can_be_called(const judge_run *r)
{
    const spec_entry *const entry = r->slot->entry;
    for (int i = 0; r->judge->image.device && i < entry->n_values; i++) {
        const spec_values *const v = &entry->values[i];
        if (v->kind == SPEC_NAMED &&
            (is_of_host(r->slot->c.op, v->text) || is_of_host(r->slot->c.op, v->name)))
            return false;
    }
    return true;
}

static bool has_check(const ifn_backend *backend)
{
    while (backend && strcmp(backend->desc->name, "check") != 0)
        backend = backend->inner;
    return backend != NULL;
}

/* Expects the shared checker to refuse the call. Returns 1 if the backend must refuse it, too. */
int judge_must_refuse(judge_run *r)
{
    const conform_slot *s = r->slot;
    ifn_error err = {0};
    const ifn_status status = ifn_op_check(s->c.op, &r->call.args.call, &err);
    if (status != s->expected)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "ifn_op_check returned %s, expected %s: %s",
                             ifn_status_name(status), ifn_status_name(s->expected), s->entry->name);
    return (!judge_is_callers_duty(s->entry) || has_check(r->judge->backend)) && can_be_called(r);
}

/* --- one illegal id among many --- */

enum { WRONG_ID_TURN = 2 };

/* Makes the last id, or any, illegal in one of four ways; returns its index. */
static int64_t spoil_one_id(const judge_run *r, int32_t *ids, int64_t n, int64_t table_rows)
{
    const conform_stream s = conform_stream_of(r->slot->c.seed, "wrong id");
    const int32_t past = (int32_t)table_rows;
    const int32_t wrong[] = {-1, INT32_MIN, INT32_MAX, past};
    const int64_t at = conform_integer(s, 0, 0, 1) ? n - 1 : conform_integer(s, 1, 0, n - 1);
    ids[at] = wrong[conform_integer(s, 2, 0, 3)];
    return at;
}

/* Expects gather_rows to refuse a call with one illegal id, wherever it stands, and to write nothing: the row of an
 * illegal id is foreign memory. */
void judge_wrong_id(judge_run *r)
{
    if (r->slot->c.op != IFN_OP_GATHER_ROWS ||
        conform_hash(r->slot->c.seed, "wrong id", 0) % WRONG_ID_TURN)
        return;
    judge_start(r);
    ifn_gather_rows_args *const a = &r->call.args.gather_rows;
    if (a->n < 1)
        return;
    int32_t *const ids = conform_pool_take(&r->judge->pool, (size_t)a->n, sizeof *ids);
    memcpy(ids, a->ids, (size_t)a->n * sizeof *ids);
    const int64_t at = spoil_one_id(r, ids, a->n, a->table->shape[0]);
    a->ids = ids;
    r->turns_floats = true;
    const ifn_status status = judge_call(r, r->judge->backend, RUN_STATUS);
    r->turns_floats = false;
    if (status == IFN_ERR_UNSUPPORTED)
        return;
    if (status != IFN_ERR_ARGUMENT)
        conform_verdict_fail(r->verdict, CHECK_STATUS,
                             "%s: id %lld of %lld is %d, returned %s, expected ERR_ARGUMENT",
                             conform_run_name(RUN_STATUS), (long long)at, (long long)a->n, ids[at],
                             ifn_status_name(status));
    else if (!r->judge->image.device) /* a device may have begun to write when it meets the id */
        judge_expect_untouched(r, 0, "with an id that is none: ");
}
