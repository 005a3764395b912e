#include "flushed.h"

#include <math.h>
#include <string.h>

#include "bounds.h"
#include "case_pool.h"
#include "test.h"

/* A slot whose inputs the test writes itself. */
typedef struct tested {
    conform_pool pool;
    conform_slot slot;
    conform_truth truth[CONFORM_MAX_TENSORS];
} tested;

static void start(tested *b, conform_case c)
{
    ifn_error err = {0};
    conform_pool_init(&b->pool);
    assert_ok(conform_slot_build(&b->slot, &b->pool, &c, NULL, NULL, &err), err);
}

static void *data_of(tested *b, const char *name)
{
    return b->slot.before[conform_tensor_index(&b->slot.layout, name)];
}

/* Returns the truth of `out` under a manifest that declares ftz, or one that does not. */
static const conform_truth *judged(tested *b, int ftz)
{
    conform_declared d = conform_declared_default();
    d.ftz = ftz;
    conform_truth_under(&b->slot, &d, &b->pool, b->truth);
    return &b->truth[conform_tensor_index(&b->slot.layout, "out")];
}

TEST(bits_are_judged_where_flushing_cannot_show)
{
    static const conform_case c = {
        .op = IFN_OP_ADD, .dim = {4}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 1};
    const float x[4] = {1, 0x1p-149f, 0x1.8p-126f, 0x1p-126f};
    const float y[4] = {2, 0x1p-126f, -0x1p-126f, 0x1p-126f};
    tested b;
    start(&b, c);
    memcpy(data_of(&b, "x"), x, sizeof x);
    memcpy(data_of(&b, "y"), y, sizeof y);
    assert_null(judged(&b, 0)->skip);
    const conform_truth *const t = judged(&b, 1);
    assert_false(t->skip[0]);
    assert_true(t->skip[1]);  /* a subnormal operand */
    assert_true(t->skip[2]);  /* a subnormal result */
    assert_false(t->skip[3]); /* small, but normal */
    conform_pool_fini(&b.pool);
}

static const conform_case product = {.op = IFN_OP_MATMUL,
                                     .dim = {1, 2, 2},
                                     .tier = TIER_SPECIAL,
                                     .family = FAMILY_NORMAL,
                                     .seed = 1};

/* 2^-149 times inf is inf; if the first factor is flushed, it is NaN. */
TEST(an_infinity_beside_a_subnormal_is_not_judged)
{
    const float left[2] = {0x1p-149f, 1}, right[4] = {INFINITY, 1, 1, 1};
    tested b;
    start(&b, product);
    memcpy(data_of(&b, "a"), left, sizeof left);
    memcpy(data_of(&b, "b"), right, sizeof right);
    const conform_truth *t = judged(&b, 0);
    assert_true(isinf(t->want[0]) && !t->skip[0]);
    t = judged(&b, 1);
    assert_true(t->skip[0] && !t->skip[1]);
    assert_true(t->bound[1] < 0x1p-20);
    conform_pool_fini(&b.pool);
}

/* x + add is subnormal though neither of them is, and the normalized result may be large. */
TEST(a_flushed_sum_is_within_its_bound)
{
    static const conform_case c = {.op = IFN_OP_RMS_NORM,
                                   .dim = {1, 2, 1, 12}, /* residual, eps 10^-12 */
                                   .tier = TIER_T1,
                                   .family = FAMILY_NORMAL,
                                   .seed = 1};
    const float x[2] = {0x1.fp-126f, 0x1p-60f}, add[2] = {-0x1p-126f, 0}, weight[2] = {16, 1};
    tested b;
    start(&b, c);
    memcpy(data_of(&b, "x"), x, sizeof x);
    memcpy(data_of(&b, "add"), add, sizeof add);
    memcpy(data_of(&b, "weight"), weight, sizeof weight);
    const conform_truth *t = judged(&b, 0);
    assert_true(t->want[0] > 0x1p-104 && t->bound[0] < t->want[0]);
    t = judged(&b, 1);
    assert_true(t->bound[0] > t->want[0] && t->bound[0] < 2 * t->want[0]);
    conform_pool_fini(&b.pool);
}

/* Flushing always errs towards zero. */
TEST(what_flushing_adds_to_a_bound_may_be_one_sided)
{
    conform_case c = product;
    const float small[4] = {0x1p-70f, 0x1p-70f, 0x1p-70f, 0x1p-70f};
    tested b;
    c.tier = TIER_T2;
    start(&b, c);
    memcpy(data_of(&b, "a"), small, 2 * sizeof *small);
    memcpy(data_of(&b, "b"), small, sizeof small);
    const conform_truth *t = judged(&b, 0);
    const double strict = t->bound[0];
    assert_null(t->lean);
    t = judged(&b, 1);
    assert_true(t->lean[0] > 0 && t->lean[0] < t->bound[0]);
    assert_true(fabs(t->lean[0] - (t->bound[0] - strict)) <= 0x1p-20 * t->lean[0]);
    conform_pool_fini(&b.pool);
}
