/* T0 under declared arithmetic (numerics 9.2): the formats hold the inputs, and sums of them are exact. */
#include "shortened.h"

#include "arithmetic.h"
#include "blocks.h"
#include "case_pool.h"
#include "flushed.h"
#include "test.h"

typedef struct bench {
    conform_pool pool;
    conform_slot slot;
    const conform_slot *shorter;
    conform_declared declared;
    conform_truth truth[CONFORM_MAX_TENSORS];
} bench;

static conform_case matmul_of(conform_family family, int64_t k, uint64_t seed)
{
    return (conform_case){
        .op = IFN_OP_MATMUL, .dim = {3, k, 5}, .tier = TIER_T0, .family = family, .seed = seed};
}

static void open_bench(bench *b, const conform_case *c, ifn_arithmetic a)
{
    ifn_error err;
    conform_pool_init(&b->pool);
    assert_ok(conform_slot_build(&b->slot, &b->pool, c, NULL, NULL, &err), err);
    b->declared = conform_declared_default();
    b->declared.arithmetic = a;
    for (int i = 0; i < IFN_LINEAR_MAX - 1; i++)
        b->declared.more_arithmetic[i] = a;
    b->shorter = conform_slot_shortened(&b->slot, &b->declared, &b->pool);
    conform_truth_under(b->shorter, &b->declared, &b->pool, b->truth);
}

static void expect_held(const bench *b, uint32_t round)
{
    const conform_format *const f = conform_format_of(round);
    for (int i = 0; i < 2; i++) {
        const float *const x = b->shorter->before[i], *const was = b->slot.before[i];
        for (int64_t n = 0; n < b->slot.layout.t[i].rows * b->slot.layout.t[i].cols; n++) {
            assert_true(conform_rounding_error(f, (double)x[n]) == 0);
            assert_true((x[n] == 0) == (was[n] == 0) && x[n] * was[n] >= 0);
        }
    }
}

static void expect_exact(const bench *b)
{
    for (int64_t i = 0; i < 15; i++)
        assert_true(b->truth[2].bound[i] == 0 && !b->truth[2].skip[i]);
}

TEST(factors_are_held_and_sums_are_exact)
{
    static const conform_family families[] = {FAMILY_LATTICE, FAMILY_ASYMMETRIC, FAMILY_ONE_HOT};
    for (uint32_t round = IFN_ROUND_TF32; round <= IFN_ROUND_F16; round++)
        for (int i = 0; i < 3 * 8; i++) {
            bench b;
            const conform_case c = matmul_of(families[i % 3], i + 1, (uint64_t)i);
            open_bench(&b, &c, (ifn_arithmetic){.inputs = round});
            expect_held(&b, round);
            expect_exact(&b);
            assert_null(b.shorter->reference[2]);
            conform_pool_fini(&b.pool);
        }
}

TEST(sums_in_f16_are_exact_by_blocks)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        bench b;
        const conform_case c = matmul_of(FAMILY_LATTICE, 500, seed);
        open_bench(
            &b, &c,
            (ifn_arithmetic){.inputs = IFN_ROUND_F16, .sums = IFN_ROUND_F16, .sum_block = 32});
        expect_held(&b, IFN_ROUND_F16);
        expect_exact(&b);
        conform_pool_fini(&b.pool);
    }
}

TEST(nothing_declared_leaves_the_slot_as_it_is)
{
    bench b;
    conform_case c = matmul_of(FAMILY_LATTICE, 10, 1);
    open_bench(&b, &c, (ifn_arithmetic){.inputs = IFN_ROUND_NONE});
    assert_ptr_equal(b.shorter, &b.slot);
    conform_pool_fini(&b.pool);
    c.tier = TIER_T1;
    open_bench(&b, &c, (ifn_arithmetic){.inputs = IFN_ROUND_BF16});
    assert_ptr_equal(b.shorter, &b.slot);
    conform_pool_fini(&b.pool);
}

TEST(identities_hold_where_every_element_is_exact)
{
    bench b;
    const conform_case c = matmul_of(FAMILY_LATTICE, 10, 1);
    open_bench(&b, &c, (ifn_arithmetic){.inputs = IFN_ROUND_BF16});
    assert_true(conform_is_exact_under(b.shorter, &b.declared, 0));
    b.declared.arithmetic.output = IFN_ROUND_BF16;
    assert_false(conform_is_exact_under(b.shorter, &b.declared, 0));
    conform_pool_fini(&b.pool);
}
