/* Every op's call is rebuilt as the case that it was bound from, and each of its outputs is judged. */
#include <stdlib.h>
#include <string.h>

#include "call_judge.h"
#include "case_call.h"
#include "golden.h"
#include "invoke.h"
#include "memory_watch.h"
#include "paths.h"
#include "test.h"

/* A bound call with its memory. */
typedef struct bound {
    conform_case c;
    conform_layout l;
    void *data[CONFORM_MAX_TENSORS];
    conform_call call;
    void *scratch;
} bound;

static spec_op *specs[IFN_OP_COUNT];
static ifn_backend *scalar;

static int open_all(void **state)
{
    ifn_error err = {0};
    (void)state;
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    spec_free_all(specs);
    ifn_backend_close(scalar);
    return 0;
}

/* Binds in place: the arguments point into `*out`. */
static void bind_case(bound *out, const conform_case *c)
{
    const conform_module *const m = conform_module_of(c->op);
    *out = (bound){.c = *c};
    assert_int_equal(conform_case_layout(&out->c, &out->l), IFN_OK);
    for (int i = 0; i < out->l.n; i++)
        if (!out->l.t[i].absent)
            out->data[i] = calloc(1, out->l.t[i].bytes + 1);
    m->fill(&out->c, &out->l, out->data);
    conform_case_bind(&out->c, &out->l, out->data, &out->call);
    const ifn_limits limits = conform_call_limits(c->op, &out->call, &out->l);
    out->call.args.call.n_lanes = 1;
    out->call.args.call.scratch_bytes = ifn_backend_scratch_bytes(scalar, &limits);
    out->scratch = aligned_alloc(64, out->call.args.call.scratch_bytes / 64 * 64 + 64);
    out->call.args.call.scratch = out->scratch;
}

static void unbind(bound *b)
{
    for (int i = 0; i < b->l.n; i++)
        free(b->data[i]);
    free(b->scratch);
}

/* Returns the legal call of the spec with inputs of one sign: the scale of attention is then that of a model. */
static conform_case legal_case(ifn_op op)
{
    conform_case c = conform_refuse_case(specs[op], 1);
    c.tier = TIER_T1;
    c.family = FAMILY_POSITIVE;
    c.seed = 3;
    return c;
}

static call_finding judge(const bound *b, const call_keep *keep, const char **why)
{
    call_judge j = {.backend = scalar, .scalar = scalar};
    call_finding f;
    ifn_error err = {0};
    conform_pool_init(&j.pool);
    assert_ok(conform_call_judge(&j, b->c.op, &b->call.args.call, keep, &f, why, &err), err);
    conform_pool_fini(&j.pool);
    return f;
}

/* Expects that a change of the tensor's first element or block is noticed; restores it. */
static void expect_noticed(const bound *b, const call_keep *keep, const call_view *v, int tensor)
{
    unsigned char *const at = v->t[tensor].data, old[512] = {0};
    const conform_tensor *const t = &v->l.t[tensor];
    const char *why;
    const size_t n = conform_element_bytes(t);
    float x;
    memcpy(old, at, n);
    memcpy(&x, old, sizeof x);
    x = 2 * x + 1;
    if (t->element == ELEMENT_F32)
        memcpy(at, &x, sizeof x);
    for (size_t i = 0; t->element != ELEMENT_F32 && i < n; i++)
        at[i] ^= 0x55;
    const call_finding f = judge(b, keep, &why);
    memcpy(at, old, n);
    assert_that(f.is_bad, "%s: %s was changed and nobody saw it", ifn_op_name(b->c.op), t->name);
    assert_string_equal(f.view.l.t[f.tensor].name, t->name);
    assert_int_equal(f.row, 0);
    assert_true(f.col < (t->element == ELEMENT_BLOCKS ? ifn_dtype_block_elements(t->dtype) : 1));
    assert_true(f.n_wrong >= 1);
    assert_int_equal(f.scalar_is_fine, 1);
}

static void go_through(const conform_case *c)
{
    const ifn_op op = c->op;
    bound b;
    call_keep keep;
    call_view v;
    const char *why;
    bind_case(&b, c);
    assert_int_equal(conform_call_keep(op, &b.call.args.call, &keep), IFN_OK);
    const ifn_status status = conform_op_entry(op)(scalar, &b.call.args.call);
    assert_that(status == IFN_OK, "%s: %s", ifn_op_name(op), ifn_status_name(status));
    const call_finding f = judge(&b, &keep, &why);
    assert_that(!why, "%s: %s", ifn_op_name(op), why);
    assert_that(!f.is_bad, "%s: scalar's %s is not accepted", ifn_op_name(op),
                f.is_bad ? f.view.l.t[f.tensor].name : "");
    assert_true(f.n_total > 0);
    assert_int_equal(f.n_judged, f.n_total);
    assert_null(conform_call_view(op, &b.call.args.call, 0, &v));
    for (int i = 0; i < v.l.n; i++)
        if (conform_is_output(&v.l.t[i]))
            expect_noticed(&b, &keep, &v, i);
    conform_call_keep_close(&keep);
    unbind(&b);
}

/* Widens rows to whole blocks of any dtype, and asks norms for their sum. */
static void widen(conform_case *c)
{
    static const char *const rows[] = {"cols", "k", "dim", "head_dim"};
    const conform_module *const m = conform_module_of(c->op);
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        for (size_t j = 0; j < N_OF(rows); j++)
            if (strcmp(m->dim_names[i], rows[j]) == 0)
                c->dim[i] = 256;
        if (strcmp(m->dim_names[i], "residual") == 0)
            c->dim[i] = 2;
    }
}

static void every_op_is_judged_as_a_call(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_case c = legal_case((ifn_op)op);
        go_through(&c);
    }
}

static void go_through_dtypes(ifn_op op)
{
    const spec_op *const spec = specs[op];
    for (int i = 0; i < spec->n_dtypes * spec->n_out_dtypes; i++) {
        conform_case c = legal_case(op);
        c.dtype = spec->dtypes[i / spec->n_out_dtypes];
        c.out_dtype = spec->out_dtypes[i % spec->n_out_dtypes];
        widen(&c);
        go_through(&c);
    }
}

static void every_dtype_is_judged_as_a_call(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (specs[op]->n_dtypes > 1 || specs[op]->n_out_dtypes > 1)
            go_through_dtypes((ifn_op)op);
}

/* A slice of chosen units and features holds the values at their places. */
static void a_slice_holds_the_chosen_rows_and_features(void **state)
{
    conform_case c = legal_case(IFN_OP_MATMUL);
    const int64_t rows[] = {4, 1}, cols[] = {0, 2, 5};
    const call_choice units = {rows, 0, 2}, features = {cols, 0, 3};
    conform_pool pool;
    call_keep keep = {.n = 0};
    call_view v;
    call_slice s;
    (void)state;
    c.dim[0] = 5, c.dim[1] = 3, c.dim[2] = 6;
    bound b;
    bind_case(&b, &c);
    const float *const a = b.data[0], *const w = b.data[1];
    conform_pool_init(&pool);
    assert_null(conform_call_view(IFN_OP_MATMUL, &b.call.args.call, 0, &v));
    assert_int_equal(v.n_units, 5);
    assert_int_equal(v.n_features, 6);
    conform_call_gather(&v, &keep, &units, &features, &pool, &s);
    const float *const sa = s.slot.before[0], *const sw = s.slot.before[1];
    for (int r = 0; r < 2; r++)
        assert_memory_equal(sa + r * 3, a + rows[r] * 3, 3 * sizeof *a);
    for (int k = 0; k < 3; k++)
        for (int f = 0; f < 3; f++)
            assert_true(sw[k * 3 + f] == w[k * 6 + cols[f]]);
    conform_pool_fini(&pool);
    unbind(&b);
}

/* A slice of attention is one position of one head: its query, and the keys that it sees. */
static void a_position_of_attention_stands_alone(void **state)
{
    conform_case c = legal_case(IFN_OP_ATTENTION);
    call_view v;
    (void)state;
    c.dim[0] = 3, c.dim[1] = 4, c.dim[2] = 2, c.dim[3] = 2, c.dim[4] = 2, c.dim[5] = 32;
    c.dtype = IFN_DTYPE_F32;
    bound b;
    bind_case(&b, &c);
    const ifn_call *const args = &b.call.args.call;
    assert_null(conform_call_view_row(IFN_OP_ATTENTION, args, 0, 1, &v));
    assert_int_equal(v.c.dim[0], 1);
    assert_int_equal(v.c.dim[1], 5);
    assert_int_equal(v.c.dim[2], 0);
    assert_ptr_equal(v.t[0].data, b.call.args.attention.q + 1 * 4 * 32);
    assert_int_equal(v.l.t[1].rows, 2 * 6);
    unbind(&b);
}

static void what_has_no_case_says_why(void **state)
{
    conform_case c = legal_case(IFN_OP_RMS_NORM);
    bound b;
    bind_case(&b, &c);
    call_view v;
    (void)state;
    b.call.args.rms_norm.eps = 2e-6f;
    assert_string_equal(conform_call_view(IFN_OP_RMS_NORM, &b.call.args.call, 0, &v),
                        "an eps that is no power of ten");
    unbind(&b);
}

/* --- memory between calls --- */

static void memory_is_the_last_writers(void **state)
{
    static memory_watch w;
    static unsigned char room[4 * WATCH_PLACES];
    (void)state;
    conform_watch_written(&w, room, 100, IFN_OP_ADD, 1);
    assert_null(conform_watch_changed(&w, room, 100));
    room[99] = 1;
    assert_int_equal(conform_watch_changed(&w, room + 10, 1)->call, 1);
    assert_null(conform_watch_changed(&w, room + 100, 10));
    conform_watch_written(&w, room + 50, 100, IFN_OP_SILU, 2);
    assert_null(conform_watch_changed(&w, room, 4));
    room[50] = 1;
    assert_int_equal(conform_watch_changed(&w, room + 149, 1)->op, IFN_OP_SILU);
    conform_watch_written(&w, room, 0, IFN_OP_ADD, 3);
    assert_int_equal(w.n, 1);
    for (int i = 0; i < 2 * WATCH_PLACES; i++)
        conform_watch_written(&w, room + 2 * i, 1, IFN_OP_ADD, i);
    assert_int_equal(w.n, WATCH_PLACES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_op_is_judged_as_a_call),
        RUN(every_dtype_is_judged_as_a_call),
        RUN(a_slice_holds_the_chosen_rows_and_features),
        RUN(a_position_of_attention_stands_alone),
        RUN(what_has_no_case_says_why),
        RUN(memory_is_the_last_writers),
    };
    return cmocka_run_group_tests_name("conform/first_bad_call", tests, open_all, close_all);
}
