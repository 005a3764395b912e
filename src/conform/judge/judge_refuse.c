/* Which refused calls a backend must refuse by itself, and which its callers owe it. */
#include <string.h>

#include "judge_run.h"

/* Null pointers, overlaps and parts outside the op: callers owe those to every backend, and only
 * `check` looks (spec/backend.yaml). Sizes and parameters each op refuses by itself. */
static int is_callers_duty(const spec_entry *entry)
{
    for (int i = 0; i < entry->n_values; i++) {
        const spec_values *v = &entry->values[i];
        const int is_dtype = strcmp(v->name, "dtype") == 0 || strcmp(v->name, "out_dtype") == 0;
        if (v->kind == SPEC_NULL || (v->kind == SPEC_NAMED && !is_dtype) ||
            strcmp(v->name, "part") == 0 || strcmp(v->name, "part2") == 0)
            return 1;
    }
    return 0;
}

static int has_check(const ifn_backend *backend)
{
    while (backend && strcmp(backend->desc->name, "check") != 0)
        backend = backend->inner;
    return backend != NULL;
}

/* The checker that all of them share must refuse the call. Returns 1 if the backend must, too. */
int judge_must_refuse(judge_run *r)
{
    const conform_slot *s = r->slot;
    ifn_error err = {0};
    const ifn_status status = ifn_op_check(s->c.op, &r->call.args.call, &err);
    if (status != s->expected)
        conform_verdict_fail(r->verdict, FAULT_STATUS, "ifn_op_check returned %s, expected %s: %s",
                             ifn_status_name(status), ifn_status_name(s->expected), s->entry->name);
    return !is_callers_duty(s->entry) || has_check(r->judge->backend);
}
