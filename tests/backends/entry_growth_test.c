/* Backends that were built before an op had its last argument. Statuses tell who ran a call. */
#include "entry.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature.h>

#include "legal_calls.h"
#include "registry.h"
#include "test.h"

#define FROM_OLD  IFN_ERR_IO
#define FROM_BASE IFN_ERR_FORMAT

static int32_t lane_seen, n_lanes_seen;
static uint32_t bytes_seen;
static int n_granules;

static ifn_status note(const ifn_call *args, ifn_status status)
{
    bytes_seen = args->bytes;
    lane_seen = args->lane;
    n_lanes_seen = args->n_lanes;
    return status;
}

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    (void)self, (void)op;
    return note(args, FROM_OLD);
}
IFN_FILL_THROUGH

#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status base_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        (void)self;                                                                                \
        return note(&a->call, FROM_BASE);                                                          \
    }
IFN_OPS(X)
#undef X

static void fill_base(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name, cut, cut2, doc) table->name = base_##name;
    IFN_OPS(X)
#undef X
}

static int64_t granule(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    n_granules++;
    return 6;
}

static int32_t three_lanes(const ifn_backend_env *env)
{
    (void)env;
    return 3;
}

/* The size of each op's arguments without the last one. */
static uint32_t less[IFN_OP_COUNT];

/* The last argument other than a list of spans, which the host turns into one call per span. */
static const ifn_op_arg *last_argument(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const ifn_op_arg *last = &s.args[0];
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].offset > last->offset && !strstr(s.args[i].name, "spans"))
            last = &s.args[i];
    return last;
}

static ifn_backend_desc old_desc(const char *name)
{
    ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = name, .summary = "", .fill = fill};
    for (int op = 0; op < IFN_OP_COUNT; op++)
        less[op] = last_argument((ifn_op)op)->offset;
    desc.args_bytes = less;
    return desc;
}

static const ifn_manifest takes_all = {.manifest_bytes = sizeof takes_all, .spans = 1, .pages = 1};
static const ifn_backend_desc base_desc = {IFN_BACKEND_STAMP, .name = "base", .summary = "",
                                           .manifest = &takes_all, .fill = fill_base};

static ifn_backend *open_on(const ifn_backend_desc *desc, ifn_backend *below, int n_contexts)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_contexts = n_contexts);
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(desc, below, NULL, &options, &b, &err), err);
    return b;
}

/* A legal call whose last argument is 0, or is set. */
static ifn_args call_of(ifn_op op, bool is_set)
{
    ifn_args args = legal_call(op);
    memset(args.room + less[op], 0, sizeof args.room - less[op]);
    args.room[less[op]] = is_set;
    return args;
}

TEST(what_a_leaf_does_not_know_its_base_runs)
{
    const ifn_backend_desc desc = old_desc("old");
    ifn_backend *const base = open_on(&base_desc, NULL, 1), *const b = open_on(&desc, base, 1);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const ifn_args plain = call_of(op, false), newer = call_of(op, true);
        assert_int_equal(ifn_op_run(b, op, &plain.call), FROM_OLD);
        assert_int_equal(ifn_op_run(b, op, &newer.call), FROM_BASE);
        assert_ptr_equal(ifn_backend_runner(b, op, &plain.call), b);
        assert_ptr_equal(ifn_backend_runner(b, op, &newer.call), base);
    }
    ifn_backend_close(b);
    ifn_backend_close(base);
}

/* The arguments that such a backend gets have the size that it was built with, and say so in `bytes`. */
TEST(a_backend_sees_arguments_of_the_size_it_was_built_with)
{
    const ifn_backend_desc desc = old_desc("old");
    ifn_backend *const b = open_on(&desc, NULL, 1);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        ifn_args longer = call_of(op, false);
        assert_int_equal(ifn_op_run(b, op, &longer.call), FROM_OLD);
        assert_int_equal(bytes_seen, less[op]);
        longer.call.bytes = IFN_ARGS_MAX_BYTES;
        assert_int_equal(ifn_op_run(b, op, &longer.call), FROM_OLD);
        assert_int_equal(bytes_seen, less[op]);
    }
    ifn_backend_close(b);
}

/* A backend without a base, such as the reference, is at the bottom of its chain: no other backend can run the call. */
TEST(what_nobody_knows_is_refused_by_the_name_of_the_argument)
{
    const ifn_backend_desc root = old_desc("scalar");
    const ifn_backend_desc *const descs[] = {&root};
    const ifn_registry alone = {descs, 1};
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_registry_open_desc(&alone, &root, NULL, NULL, NULL, &b, &err), err);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const ifn_args plain = call_of(op, false), newer = call_of(op, true);
        char expected[200];
        snprintf(expected, sizeof expected,
                 "%s on backend 'scalar': '%s' is set, which it was built without, and no base "
                 "runs the call",
                 ifn_op_name(op), last_argument(op)->name);
        assert_int_equal(ifn_op_run(b, op, &plain.call), FROM_OLD);
        assert_int_equal(ifn_backend_explain(b, &err), 0);
        assert_int_equal(ifn_op_run(b, op, &newer.call), IFN_ERR_UNSUPPORTED);
        assert_int_equal(ifn_backend_explain(b, &err), 1);
        assert_string_equal(err.text, expected);
        assert_int_equal(ifn_backend_explain(b, &err), 0); /* explained once already */
        assert_null(ifn_backend_runner(b, op, &newer.call));
        assert_int_equal(ifn_backend_granule(b, op, 0, &newer.call), 1);
    }
    ifn_backend_close(b);
}

/* The judge sets keeps_refusals, since it wants no results of a base: the backend refuses arguments that it does not
 * know. */
TEST(where_refusals_are_kept_no_base_is_asked)
{
    const ifn_backend_desc desc = old_desc("old");
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .keeps_refusals = 1);
    const ifn_args newer = call_of(IFN_OP_ATTENTION, true);
    ifn_backend *const base = open_on(&base_desc, NULL, 1), *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&desc, base, NULL, &options, &b, &err), err);
    assert_int_equal(ifn_op_run(b, IFN_OP_ATTENTION, &newer.call), IFN_ERR_UNSUPPORTED);
    assert_null(ifn_backend_runner(b, IFN_OP_ATTENTION, &newer.call));
    ifn_backend_close(b);
    ifn_backend_close(base);
}

/* An inherited function knows the arguments that its own backend was built with, not those of the heir. */
static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table, (void)env;
}

TEST(an_old_backend_inherits_what_it_does_not_know)
{
    ifn_backend_desc desc = old_desc("old");
    desc.fill = fill_nothing;
    ifn_backend *const base = open_on(&base_desc, NULL, 1), *const b = open_on(&desc, base, 1);
    const ifn_args newer = call_of(IFN_OP_ATTENTION, true);
    assert_int_equal(ifn_op_run(b, IFN_OP_ATTENTION, &newer.call), FROM_BASE);
    assert_ptr_equal(ifn_backend_runner(b, IFN_OP_ATTENTION, &newer.call), base);
    ifn_backend_close(b);
    ifn_backend_close(base);
}

/* The call goes to the inner backend, on the first of the inner lanes that belong to the wrapper's lane. */
TEST(a_call_goes_around_a_wrapper_that_does_not_know_it)
{
    ifn_backend_desc desc = old_desc("old");
    desc.flags = IFN_BACKEND_WRAPPER;
    desc.lanes = three_lanes;
    ifn_backend *const base = open_on(&base_desc, NULL, 6), *const b = open_on(&desc, base, 2);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        ifn_args newer = call_of(op, true), plain = call_of(op, false);
        newer.call.lane = plain.call.lane = 1;
        newer.call.n_lanes = plain.call.n_lanes = 2;
        assert_int_equal(ifn_op_run(b, op, &newer.call), FROM_BASE);
        assert_true(lane_seen == 3 && n_lanes_seen == 6);
        assert_int_equal(ifn_op_run(b, op, &plain.call), FROM_OLD);
        assert_true(lane_seen == 1 && n_lanes_seen == 2);
    }
    ifn_backend_close(b);
    ifn_backend_close(base);
}

TEST(words_of_a_call_that_have_no_meaning_yet_are_refused)
{
    ifn_backend *const b = open_on(&base_desc, NULL, 1);
    ifn_args args = legal_call(IFN_OP_ADD);
    ifn_error err = {0};
    args.call.reserved[1] = 1;
    assert_int_equal(ifn_op_run(b, IFN_OP_ADD, &args.call), IFN_ERR_UNSUPPORTED);
    assert_int_equal(ifn_backend_explain(b, &err), 1);
    assert_non_null(strstr(err.text, "add on backend 'scalar': byte "));
    ifn_backend_close(b);
}

TEST(a_call_that_was_not_filled_in_is_shown_to_nobody)
{
    ifn_backend *const b = open_on(&base_desc, NULL, 1);
    ifn_args args = legal_call(IFN_OP_ADD);
    ifn_error err = {0};
    args.call.bytes = 1;
    assert_int_equal(ifn_op_run(b, IFN_OP_ADD, &args.call), IFN_ERR_SHAPE);
    assert_int_equal(ifn_backend_explain(b, &err), 1);
    assert_non_null(strstr(err.text, "add: call.bytes 1, expected "));
    args.call.bytes = IFN_ARGS_MAX_BYTES + 8;
    assert_int_equal(ifn_op_run(b, IFN_OP_ADD, &args.call), IFN_ERR_SHAPE);
    ifn_backend_close(b);
}

TEST(a_backend_is_not_asked_where_to_cut_what_it_does_not_know)
{
    ifn_backend_desc desc = old_desc("old");
    desc.granule = granule;
    ifn_backend *const base = open_on(&base_desc, NULL, 1), *const b = open_on(&desc, base, 1);
    const ifn_args plain = call_of(IFN_OP_ATTENTION, false),
                   newer = call_of(IFN_OP_ATTENTION, true);
    n_granules = 0;
    assert_int_equal(ifn_backend_granule(b, IFN_OP_ATTENTION, 0, &newer.call), 1);
    assert_int_equal(n_granules, 0);
    assert_int_equal(ifn_backend_granule(b, IFN_OP_ATTENTION, 0, &plain.call), 6);
    assert_int_equal(n_granules, 1);
    ifn_backend_close(b);
    ifn_backend_close(base);
}
