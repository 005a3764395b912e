/* A leaf that refuses some calls of ops that it implements, as programs and as the suite see it. */
#include "entry.h"

#include <math.h>
#include <string.h>

#include <inferno/tensor.h>

#include "test.h"

static ifn_status refuse_silu(ifn_backend *self, const ifn_silu_args *a)
{
    (void)self;
    return a->n == 1 ? IFN_ERR_UNSUPPORTED : IFN_ERR_SHAPE;
}

static ifn_status refuse_linear(ifn_backend *self, const ifn_linear_args *a)
{
    (void)self, (void)a;
    return IFN_ERR_UNSUPPORTED;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->silu = refuse_silu;
    table->linear = refuse_linear;
}

static int unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)dtype, (void)out_dtype;
    return op == IFN_OP_SILU || op == IFN_OP_LINEAR;
}

static int64_t granule_of_six(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    return 6;
}

static const ifn_manifest frank = {.manifest_bytes = sizeof frank, .unsupported = unsupported};
static const ifn_backend_desc refuser = {
    IFN_BACKEND_STAMP,  .name = "refuser",         .summary = "refuses silu of one, and linear",
    .manifest = &frank, .granule = granule_of_six, .fill = fill};
static const ifn_backend_desc silent = {IFN_BACKEND_STAMP, .name = "silent",
                                        .summary = "refuses, declares nothing", .fill = fill};

static ifn_backend *open(const ifn_backend_desc *desc, ifn_backend *base, int keeps_refusals)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .keeps_refusals = keeps_refusals);
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(desc, base, NULL, &options, &b, &err), err);
    return b;
}

static ifn_status run_silu(ifn_backend *b, int64_t n)
{
    float x[2] = {1, 1};
    const ifn_silu_args a = {.call.bytes = sizeof a, .n = n, .x = x, .out = x};
    const ifn_status status = ifn_silu(b, &a);
    assert_int_equal(x[0] != 1, status == IFN_OK);
    return status;
}

TEST(what_a_leaf_refuses_its_base_does)
{
    ifn_backend *const b = open(&refuser, NULL, 0);
    assert_int_equal(run_silu(b, 1), IFN_OK);
    assert_int_equal(run_silu(b, 2), IFN_ERR_SHAPE); /* an error, and no refusal */
    assert_true(ifn_backend_implements(b, IFN_OP_SILU));
    assert_false(ifn_backend_implements(b, IFN_OP_ADD));
    assert_ptr_equal(ifn_backend_implementer(b, IFN_OP_ADD), b->base);
    ifn_backend_close(b);
}

/* The judge asks for refusals to be kept. A refusal that the manifest does not declare is always passed on: it is an
 * error. */
TEST(refusals_are_kept_where_asked_for)
{
    ifn_backend *b = open(&refuser, NULL, 1);
    assert_int_equal(run_silu(b, 1), IFN_ERR_UNSUPPORTED);
    ifn_backend_close(b);
    b = open(&silent, NULL, 0);
    assert_int_equal(run_silu(b, 1), IFN_ERR_UNSUPPORTED);
    ifn_backend_close(b);
}

static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table, (void)env;
}

/* If an inherited op refuses a call, it goes on to the next base, until one supports it. */
TEST(a_base_that_refuses_has_a_base)
{
    const ifn_backend_desc heir = {IFN_BACKEND_STAMP, .name = "heir",
                                   .summary = "nothing of its own", .fill = fill_nothing};
    ifn_backend *const below = open(&refuser, NULL, 0), *const b = open(&heir, below, 0);
    assert_ptr_equal(ifn_backend_implementer(b, IFN_OP_SILU), below);
    assert_int_equal(run_silu(b, 1), IFN_OK);
    ifn_backend_close(b);
    ifn_backend_close(below);
}

/* A handle has the layout of the backend that made it, so its base gets the raw weights. */
TEST(a_base_reads_raw_weights)
{
    ifn_backend *const b = open(&refuser, NULL, 0);
    const float x = 3;
    float weight = 2;
    float out = 0;
    const ifn_tensor w = {.data = &weight, .dtype = IFN_DTYPE_F32, .n_dims = 2, .shape = {1, 1}};
    const ifn_linear_args a = {.call.bytes = sizeof a,
                               .rows = 1,
                               .k = 1,
                               .x = &x,
                               .x_stride = 1,
                               .n_w = 1,
                               .w = {&w},
                               .packed = {"no layout of scalar's"},
                               .out = {&out},
                               .out_stride = {1}};
    assert_int_equal(ifn_linear(b, &a), IFN_OK);
    assert_true(out == 6);
    ifn_backend_close(b);
}

static int64_t granule_of_four(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self, (void)op, (void)axis, (void)args;
    return 4;
}

static ifn_status take_silu(ifn_backend *self, const ifn_silu_args *a)
{
    (void)self, (void)a;
    return IFN_OK;
}

static void fill_silu(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->silu = take_silu;
}

/* The granule suits each backend that may compute a part: it is a common multiple of theirs. */
TEST(pieces_fit_both)
{
    const ifn_backend_desc fours = {IFN_BACKEND_STAMP, .name = "fours", .summary = "pieces of four",
                                    .granule = granule_of_four, .fill = fill_silu};
    ifn_backend *const below = open(&fours, NULL, 0), *b = open(&refuser, below, 0);
    assert_int_equal(ifn_backend_granule(b, IFN_OP_SILU, 0, NULL), 12);
    ifn_backend_close(b);
    b = open(&refuser, below, 1);
    assert_int_equal(ifn_backend_granule(b, IFN_OP_SILU, 0, NULL), 6);
    ifn_backend_close(b);
    ifn_backend_close(below);
}

/* --- lists of spans --- */

static int n_calls;

/* The last base: those in between would count the call again. */
static ifn_backend *bottom_of(ifn_backend *self)
{
    while (self->base)
        self = self->base;
    return self;
}

/* attention of a backend that handles one sequence only. */
static ifn_status one_sequence(ifn_backend *self, const ifn_attention_args *a)
{
    n_calls++;
    assert_int_equal(a->n_spans, 0);
    return ifn_attention(bottom_of(self), a);
}

static ifn_status list_of_spans(ifn_backend *self, const ifn_attention_args *a)
{
    n_calls++;
    return ifn_attention(bottom_of(self), a);
}

static void fill_one(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = one_sequence;
}

static void fill_list(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = list_of_spans;
}

static const ifn_manifest takes_spans = {.manifest_bytes = sizeof takes_spans, .spans = 1};
static const ifn_backend_desc knows_one = {IFN_BACKEND_STAMP, .name = "one", .summary = "",
                                           .fill = fill_one};
static const ifn_backend_desc knows_lists = {IFN_BACKEND_STAMP, .name = "lists", .summary = "",
                                             .manifest = &takes_spans, .fill = fill_list};
static const ifn_backend_desc knows_nothing = {IFN_BACKEND_STAMP, .name = "nothing", .summary = "",
                                               .fill = fill};

enum { POSITIONS = 5, ROWS = 3 };

static void attend(ifn_backend *b, float out[ROWS])
{
    static const float q[ROWS] = {1, 2, 3};
    static const float k[POSITIONS] = {1, -1, 0.5f, 2, 1}, v[POSITIONS] = {1, 2, 3, 4, 5};
    static const ifn_span spans[] = {{3, 0, 2}, {0, 2, 1}};
    const ifn_attention_args a =
        IFN_ARGS(attention, .out = out, .q = q, .k_cache = k, .v_cache = v, .rows = ROWS,
                 .max_pos = POSITIONS, .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1.0f,
                 .cache_dtype = IFN_DTYPE_F32, .spans = spans, .n_spans = 2);
    assert_int_equal(ifn_attention(b, &a), IFN_OK);
}

static void expect_calls(const ifn_backend_desc *desc, ifn_backend *base, int keeps_refusals, int n)
{
    float want[ROWS], got[ROWS];
    ifn_backend *const scalar = open(&knows_nothing, NULL, 0);
    ifn_backend *const b = open(desc, base, keeps_refusals);
    attend(scalar, want);
    n_calls = 0;
    attend(b, got);
    assert_int_equal(n_calls, n);
    assert_memory_equal(want, got, sizeof want);
    assert_true(want[0] == 4 && want[1] > 4 && want[2] > 1 && want[2] < 3);
    ifn_backend_close(b);
    ifn_backend_close(scalar);
}

/* Holds with refusals kept and not, and for an op that is inherited from such a backend. */
TEST(who_knows_one_sequence_gets_a_call_of_each)
{
    expect_calls(&knows_one, NULL, 0, 2);
    expect_calls(&knows_one, NULL, 1, 2);
    expect_calls(&knows_lists, NULL, 0, 1);
    ifn_backend *const base = open(&knows_one, NULL, 0);
    expect_calls(&knows_nothing, base, 0, 2);
    expect_calls(&knows_nothing, base, 1, 2);
    ifn_backend_close(base);
    ifn_backend *const lists = open(&knows_lists, NULL, 0);
    expect_calls(&knows_nothing, lists, 1, 1);
    ifn_backend_close(lists);
}

/* --- a cache in pages --- */

static const ifn_manifest takes_pages = {
    .manifest_bytes = sizeof takes_pages, .spans = 1, .pages = 1};
static const ifn_backend_desc knows_pages = {IFN_BACKEND_STAMP, .name = "pages", .summary = "",
                                             .manifest = &takes_pages, .fill = fill_list};

enum { PAGE = IFN_PAGE_ROWS_LEAST, PAGES = 3 };

/* Attends to two keys that count, the last of page 2 and the first of page 0; the result is 4. */
static ifn_status attend_in_pages(ifn_backend *b, float *out, int is_in_list)
{
    static const float q = 1.0f;
    static float k[PAGES * PAGE], v[PAGES * PAGE];
    static const int32_t table[] = {1, 2, 0};
    static const ifn_span span = {PAGE, PAGE, 1};
    for (int i = 0; i < PAGES * PAGE; i++)
        k[i] = -1000.0f, v[i] = NAN;
    for (int i = 2 * PAGE; i < 3 * PAGE; i++)
        v[i] = 0.0f;
    k[3 * PAGE - 1] = k[0] = 0.0f;
    v[3 * PAGE - 1] = 3.0f;
    v[0] = 5.0f;
    ifn_attention_args a = IFN_ARGS(
        attention, .out = out, .q = &q, .k_cache = k, .v_cache = v, .rows = 1, .first_pos = PAGE,
        .max_pos = PAGES * PAGE, .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1.0f,
        .cache_dtype = IFN_DTYPE_F32, .pages = table + 1, .n_pages = 2, .page_rows = PAGE);
    if (is_in_list) {
        a.first_pos = 0;
        a.spans = &span;
        a.n_spans = 1;
        a.pages = table;
        a.n_pages = 3;
    }
    return ifn_attention(b, &a);
}

/* ifn_backend_runner, which conform asks before a call, must say who will run it. */
static void expect_runner(ifn_backend *b, int is_itself)
{
    const ifn_attention_args a = IFN_ARGS(attention, .page_rows = PAGE);
    assert_int_equal(ifn_backend_runner(b, IFN_OP_ATTENTION, &a.call) == b, is_itself);
}

static void expect_paged_calls(const ifn_backend_desc *desc, int n)
{
    ifn_backend *const b = open(desc, NULL, 0);
    expect_runner(b, n);
    for (int is_in_list = 0; is_in_list < 2; is_in_list++) {
        float out = 0.0f;
        n_calls = 0;
        assert_int_equal(attend_in_pages(b, &out, is_in_list), IFN_OK);
        assert_int_equal(n_calls, n);
        assert_true(out == 4.0f);
    }
    ifn_backend_close(b);
}

TEST(a_call_in_pages_is_the_bases_of_who_does_not_declare_them)
{
    expect_paged_calls(&knows_pages, 1);
    expect_paged_calls(&knows_lists, 0);
    expect_paged_calls(&knows_one, 0);
}

/* The base also runs the call of a backend that was built before there were pages, whatever it declares. */
TEST(a_call_in_pages_is_not_shown_to_who_was_built_before_them)
{
    uint32_t before[IFN_OP_COUNT];
    memcpy(before, ifn_args_bytes, sizeof before);
    before[IFN_OP_ATTENTION] = offsetof(ifn_attention_args, pages);
    ifn_backend_desc older = knows_pages;
    older.args_bytes = before;
    ifn_backend *const b = open(&older, NULL, 0);
    float out = 0.0f;
    n_calls = 0;
    assert_int_equal(attend_in_pages(b, &out, 1), IFN_OK);
    assert_int_equal(n_calls, 0);
    assert_true(out == 4.0f);
    ifn_backend_close(b);
}

TEST(a_call_in_pages_that_nobody_may_run_is_refused_by_name)
{
    ifn_error err;
    float out = 0.0f;
    ifn_backend *const b = open(&knows_lists, NULL, 1);
    assert_int_equal(attend_in_pages(b, &out, 0), IFN_ERR_UNSUPPORTED);
    assert_int_equal(ifn_backend_explain(b, &err), 1);
    assert_string_equal(err.text, "attention on backend 'lists': 'pages' is set, which it was "
                                  "built without, and no base runs the call");
    ifn_backend_close(b);
}
