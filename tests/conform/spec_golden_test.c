/*
 * Executes every golden and refuse entry of spec/ops: the oracle must find the golden results, the scalar backend must
 * compute them, and it must refuse each refuse entry with its status.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>

#include "bounds.h"
#include "case_call.h"
#include "case_pool.h"
#include "golden.h"
#include "paths.h"
#include "test.h"

static spec_op *specs[IFN_OP_COUNT];
static ifn_backend *scalar;
static conform_pool pool;

static int setup(void **state)
{
    (void)state;
    ifn_error err;
    conform_pool_init(&pool);
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    spec_free_all(specs);
    ifn_backend_close(scalar);
    conform_pool_fini(&pool);
    return 0;
}

static ifn_status call_op(ifn_op op, const conform_call *call)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return ifn_##name(scalar, &call->args.name);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return IFN_ERR_ARGUMENT;
}

/* Allocates buffers of exact size, filled with a pattern that is NaN as f32 and as f16. */
static void take_buffers(const conform_layout *l, void **data)
{
    for (int i = 0; i < l->n; i++) {
        data[i] = NULL;
        if (l->t[i].absent)
            continue;
        data[i] = malloc(l->t[i].bytes ? l->t[i].bytes : 1);
        assert_non_null(data[i]);
        memset(data[i], 0xff, l->t[i].bytes);
    }
}

static void free_buffers(const conform_layout *l, void **data)
{
    for (int i = 0; i < l->n; i++)
        free(data[i]);
}

/* Returns the number of outputs that were compared. */
static int judge_outputs(const conform_layout *l, void *const *data, const conform_truth *truth,
                         const spec_entry *entry)
{
    int n = 0;
    for (int i = 0; i < l->n; i++) {
        ifn_error err;
        const spec_values *want = conform_golden_want(l, i, entry);
        if (!want)
            continue;
        assert_that(conform_golden_confirms(&l->t[i], want, &truth[i], &err), "'%s': oracle: %s",
                    entry->name, err.text);
        assert_that(conform_golden_holds(&l->t[i], want, data[i], &truth[i], false, &err),
                    "'%s': scalar: %s", entry->name, err.text);
        n++;
    }
    return n;
}

static void run_golden(const spec_op *spec, uint32_t index)
{
    const conform_module *m = conform_module_of(spec->op);
    const conform_declared declared = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    const spec_entry *entry = &spec->golden[index - 1];
    void *data[CONFORM_MAX_TENSORS];
    conform_truth truth[CONFORM_MAX_TENSORS] = {0};
    conform_layout l = {0};
    conform_call call = {0};
    conform_case c;
    ifn_error err;
    assert_ok(conform_golden_case(spec, index, &c, &err), err);
    assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
    take_buffers(&l, data);
    assert_ok(conform_golden_fill(&l, entry, data, &err), err);
    conform_pool_reset(&pool);
    m->truth(&c, &l, data, &declared, &pool, truth);
    conform_case_bind(&c, &l, data, &call);
    assert_ok(ifn_op_check(spec->op, &call.args.call, &err), err);
    assert_int_equal(call_op(spec->op, &call), IFN_OK);
    assert_that(judge_outputs(&l, data, truth, entry) > 0, "'%s' expects nothing", entry->name);
    free_buffers(&l, data);
}

static void every_golden_value_is_computed(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        assert_that(specs[op]->n_golden > 0, "%s has no golden entry", ifn_op_name((ifn_op)op));
        for (int i = 1; i <= specs[op]->n_golden; i++) {
            print_message("%s: %s\n", ifn_op_name((ifn_op)op), specs[op]->golden[i - 1].name);
            run_golden(specs[op], (uint32_t)i);
        }
    }
}

/* The legal call itself passes, so the status is due to what the entry changes. */
static void run_refuse(const spec_op *spec, uint32_t index)
{
    const conform_module *m = conform_module_of(spec->op);
    const spec_entry *entry = &spec->refuse[index - 1];
    const conform_case c = conform_refuse_case(spec, index);
    void *data[CONFORM_MAX_TENSORS];
    conform_layout l = {0};
    conform_call legal = {0}, call = {0};
    ifn_error err = {.text = "accepted"};
    assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
    take_buffers(&l, data);
    m->fill(&c, &l, data);
    conform_case_bind(&c, &l, data, &legal);
    assert_ok(ifn_op_check(spec->op, &legal.args.call, &err), err);
    assert_ok(conform_refuse_bind(spec, &c, &l, data, &call, &err), err);
    const ifn_status status = ifn_op_check(spec->op, &call.args.call, &err);
    assert_that(status == entry->status, "'%s': %s, expected %s", entry->name, err.text,
                ifn_status_name(entry->status));
    free_buffers(&l, data);
}

static void everything_that_must_be_refused_is_refused(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        assert_that(specs[op]->n_refuse > 0, "%s refuses nothing", ifn_op_name((ifn_op)op));
        for (int i = 1; i <= specs[op]->n_refuse; i++) {
            print_message("%s: %s\n", ifn_op_name((ifn_op)op), specs[op]->refuse[i - 1].name);
            run_refuse(specs[op], (uint32_t)i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_golden_value_is_computed),
        RUN(everything_that_must_be_refused_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
