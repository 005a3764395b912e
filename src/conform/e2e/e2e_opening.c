#include "e2e_opening.h"

#include <stdio.h>
#include <string.h>

#include "case_pool.h"
#include "e2e_child.h"

/* Lies in memory that parent and child share. */
typedef struct attempt {
    e2e_open open;
    const void *backend;
    e2e_opening learned;
    ifn_status status;
    ifn_error err;
} attempt;

static void try_it(void *cookie)
{
    attempt *const a = cookie;
    ifn_backend *backend;
    a->status = a->open(a->backend, 0, &backend, &a->err);
    if (a->status != IFN_OK)
        return;
    snprintf(a->learned.expression, sizeof a->learned.expression, "%s",
             ifn_backend_expression(backend));
    a->learned.is_device = ifn_backend_is_device(backend);
    conform_declared_arithmetics(backend, &a->learned.declared);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        conform_arithmetic_stated(backend, (ifn_op)op, a->learned.arithmetic[op],
                                  sizeof a->learned.arithmetic[op]);
    ifn_backend_close(backend);
}

ifn_status e2e_opening_learn(e2e_opening *self, e2e_open open, const void *backend, bool in_process,
                             unsigned seconds, ifn_error *err)
{
    char how[E2E_ENDING_BYTES];
    conform_pool pool;
    conform_pool_init_shared(&pool, sizeof(attempt) + 8192);
    attempt *const a = conform_pool_take(&pool, 1, sizeof *a);
    a->open = open;
    a->backend = backend;
    const e2e_ending end = e2e_child_run(in_process, seconds, try_it, a);
    const ifn_status status = a->status;
    const ifn_error why = a->err;
    *self = a->learned;
    conform_pool_fini(&pool);
    if (!e2e_ending_is_fine(&end))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend '%s': %s, while it was opened",
                        backend ? (const char *)backend : "best", e2e_ending_text(&end, how));
    if (status != IFN_OK && err)
        *err = why;
    return status;
}

void e2e_opening_report(const e2e_opening *self, conform_report *report, int i)
{
    memcpy(report->expression[i], self->expression, sizeof self->expression);
    report->binary[i].is_device = self->is_device;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        memcpy(conform_report_cell(report, (ifn_op)op, i)->arithmetic, self->arithmetic[op],
               sizeof self->arithmetic[op]);
}

int e2e_opening_group(const conform_arithmetics *declared, int i)
{
    int first = 0;
    while (!conform_arithmetics_are_equal(&declared[first], &declared[i]))
        first++;
    return first;
}
