#include "base_watch.h"

#include "test.h"

static float x[6] = {1, 2, 3, 4, 5, 6}, y[6];

static ifn_status first_half_silu(ifn_backend *self, const ifn_silu_args *a)
{
    ifn_silu_args part = *a;
    part.part_end = a->n / 2;
    return ifn_silu(self->base, &part);
}

static ifn_status quantized_silu(ifn_backend *self, const ifn_silu_args *a)
{
    ifn_block_q8_32f block;
    float row[32] = {a->x[0]};
    const ifn_quantize_rows_args q = IFN_ARGS(quantize_rows, .out = &block, .x = row, .rows = 1,
                                              .cols = 32, .out_dtype = IFN_DTYPE_Q8_32F);
    return ifn_quantize_rows(self->base, &q);
}

static ifn_status refused_silu(ifn_backend *self, const ifn_silu_args *a)
{
    ifn_silu_args wrong = *a;
    wrong.n = -1;
    (void)ifn_silu(self->base, &wrong);
    return IFN_OK;
}

#define FILL(word)                                                                                 \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->silu = word##_silu;                                                                 \
    }
FILL(first_half)
FILL(quantized)
FILL(refused)

/* Returns what one silu of six elements asks of the base; checks that the base has its own op table again
 * afterwards. */
static uint64_t asked_by(void (*fill)(ifn_op_table *, const ifn_backend_env *))
{
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "leaf", .summary = "", .fill = fill};
    const ifn_silu_args a = IFN_ARGS(silu, .out = y, .x = x, .n = 6);
    ifn_backend *leaf;
    ifn_error err;
    assert_ok(ifn_backend_open_desc(&desc, NULL, "", NULL, &leaf, &err), err);
    const ifn_op_table *const before = leaf->base->ops;
    base_watch_begin(leaf);
    assert_int_equal(ifn_silu(leaf, &a), IFN_OK);
    const uint64_t n = base_watch_end();
    assert_ptr_equal(leaf->base->ops, before);
    ifn_backend_close(leaf);
    return n;
}

TEST(elements_are_counted_and_refused_calls_and_quantizers_are_not)
{
    assert_int_equal(asked_by(fill_first_half), 3);
    assert_int_equal(asked_by(fill_quantized), 0);
    assert_int_equal(asked_by(fill_refused), 0);
}

TEST(who_has_no_base_asks_nothing)
{
    const ifn_silu_args a = IFN_ARGS(silu, .out = y, .x = x, .n = 6);
    ifn_backend *scalar;
    ifn_error err;
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    base_watch_begin(scalar);
    assert_int_equal(ifn_silu(scalar, &a), IFN_OK);
    assert_int_equal(base_watch_end(), 0);
    ifn_backend_close(scalar);
}
