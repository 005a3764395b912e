/* A leaf that refuses part of what it implements, as programs see it and as the suite does. */
#include "fallback.h"

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
    const ifn_backend_options options = {.keeps_refusals = keeps_refusals};
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

/* Who judges a backend wants to see them; and what is not declared is no refusal but a fault. */
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

/* Inherited refusals fall as far as somebody supports the call. */
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

/* A handle is in the layout of who made it. */
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

/* Pieces suit whoever may compute them. */
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
