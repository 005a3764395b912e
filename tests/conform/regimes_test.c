#include "regimes.h"

#include "all_specs.h"
#include "test.h"

static void every_regime_of_a_spec_has_a_bound(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int i = 0; i < specs[op]->n_regimes; i++) {
            const spec_regime *const regime = &specs[op]->regimes[i];
            assert_that(conform_regime_is_judged(conform_module_of((ifn_op)op), IFN_DTYPE_Q8_0,
                                                 regime->tier, regime->family),
                        "%s: %s in %s", ifn_op_name((ifn_op)op),
                        conform_family_name(regime->family), conform_tier_name(regime->tier));
        }
}

/* Every listed regime is drawn with its tier's share, and no other is drawn. */
static void what_a_spec_lists_is_what_is_drawn(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        int drawn[SPEC_MAX_REGIMES] = {0};
        plan_dice d = {.stream = conform_stream_of((uint64_t)op, "dice")};
        for (int i = 0; i < 4000; i++) {
            conform_case c = {.op = (ifn_op)op, .dtype = IFN_DTYPE_Q8_0};
            c.tier = conform_draw_tier(specs[op], &c, &d);
            c.family = conform_draw_family(specs[op], &c, &d);
            const int regime = conform_regime_of(specs[op], &c);
            assert_in_range(regime, 0, specs[op]->n_regimes - 1);
            drawn[regime]++;
        }
        for (int i = 0; i < specs[op]->n_regimes; i++) {
            const conform_case c = {.dtype = IFN_DTYPE_Q8_0,
                                    .tier = specs[op]->regimes[i].tier,
                                    .family = specs[op]->regimes[i].family};
            assert_that(drawn[conform_regime_of(specs[op], &c)] > 0, "%s: %s was never drawn",
                        ifn_op_name((ifn_op)op), conform_family_name(c.family));
        }
    }
}

static void tiers_have_their_shares(void **state)
{
    (void)state;
    int sum[TIER_COUNT] = {0}, plain[TIER_COUNT] = {0}, n_probes = 0;
    plan_dice d = {.stream = conform_stream_of(4, "dice")};
    for (int i = 0; i < 1000; i++) {
        conform_case c = {.dtype = IFN_DTYPE_F32};
        c.tier = conform_draw_tier(specs[IFN_OP_LINEAR], &c, &d);
        c.family = conform_draw_family(specs[IFN_OP_LINEAR], &c, &d);
        sum[c.tier]++;
        n_probes += c.family == FAMILY_SCALE_PROBE;
        c.tier = conform_draw_tier(specs[IFN_OP_ADD], &c, &d);
        plain[c.tier]++;
    }
    assert_true(sum[TIER_T0] > 200 && sum[TIER_T1] > 300 && sum[TIER_T2] > 200);
    assert_true(sum[TIER_SPECIAL] > 20);
    assert_int_equal(n_probes, 0); /* dtypes without blocks have no scales */
    assert_true(plain[TIER_T1] > 800 && plain[TIER_SPECIAL] > 50);
    assert_int_equal(plain[TIER_T0] + plain[TIER_T2], 0);
}

static void what_is_written_or_swept_is_of_no_regime(void **state)
{
    static const conform_case cases[] = {{.tier = TIER_GOLDEN, .family = FAMILY_WRITTEN},
                                         {.tier = TIER_REFUSE, .family = FAMILY_NORMAL},
                                         {.tier = TIER_T1, .family = FAMILY_EVERY},
                                         {.tier = TIER_T1, .family = FAMILY_SCALE_PROBE}};
    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_int_equal(conform_regime_of(specs[IFN_OP_LINEAR], &cases[i]), -1);
}

/* A tier's bound holds only for the inputs it was derived for. */
static void a_tier_takes_its_own_families_only(void **state)
{
    const conform_module *const sum = conform_module_of(IFN_OP_MATMUL), *const plain =
                                                                            conform_module_of(
                                                                                IFN_OP_ADD);
    (void)state;
    assert_true(conform_regime_is_judged(sum, IFN_DTYPE_F32, TIER_T0, FAMILY_LATTICE));
    assert_false(conform_regime_is_judged(sum, IFN_DTYPE_F32, TIER_T0, FAMILY_NORMAL));
    assert_false(conform_regime_is_judged(sum, IFN_DTYPE_F32, TIER_T1, FAMILY_ONE_HOT));
    assert_false(conform_regime_is_judged(sum, IFN_DTYPE_F32, TIER_T2, FAMILY_POSITIVE));
    assert_false(conform_regime_is_judged(sum, IFN_DTYPE_F32, TIER_T1, FAMILY_SCALE_PROBE));
    assert_true(conform_regime_is_judged(sum, IFN_DTYPE_Q4_K, TIER_T1, FAMILY_SCALE_PROBE));
    assert_false(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_T0, FAMILY_LATTICE));
    assert_false(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_T2, FAMILY_NORMAL));
    assert_false(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_T1, FAMILY_WRITTEN));
    assert_true(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_GOLDEN, FAMILY_WRITTEN));
    assert_true(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_REFUSE, FAMILY_NORMAL));
    assert_false(conform_regime_is_judged(plain, IFN_DTYPE_F32, TIER_COUNT, FAMILY_NORMAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_regime_of_a_spec_has_a_bound),
        RUN(what_a_spec_lists_is_what_is_drawn),
        RUN(tiers_have_their_shares),
        RUN(what_is_written_or_swept_is_of_no_regime),
        RUN(a_tier_takes_its_own_families_only),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
