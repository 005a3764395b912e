#include "plan_reach.h"

#include <stdlib.h>
#include <string.h>

#include "all_specs.h"
#include "plan_cases.h"
#include "test.h"

static void print_hole(void *cookie, const reach_hole *hole)
{
    char text[200];
    if (!plan_can_aim(hole->class))
        return;
    conform_reach_say(*(const ifn_op *)cookie, hole, text, sizeof text);
    fail_msg("%s", text);
}

/* Counts every case of a plan as passed, and expects no hole in any class that a case can be made for. */
static void expect_whole(ifn_op op, conform_profile profile, uint64_t seed)
{
    const conform_filter filter = {.profile = profile, .seed = seed};
    conform_reach reach = {0};
    conform_plan plan;
    ifn_error err = {0};
    assert_ok(conform_plan_open(&plan, specs[op], &filter, &err), err);
    for (int64_t i = 0; i < plan.n; i++)
        conform_reach_count(
            &reach, &plan.cases[i],
            &(conform_verdict){.outcome = OUTCOME_PASS, .far = conform_far_due(&plan.cases[i])});
    conform_reach_need(&reach, specs[op], profile);
    conform_reach_missing(&reach, print_hole, &op);
    conform_plan_close(&plan);
    conform_reach_close(&reach);
}

static void smoke_plans_what_it_promises(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (uint64_t seed = 1; seed <= 2; seed++)
            expect_whole((ifn_op)op, PROFILE_SMOKE, seed);
}

static void ci_plans_what_it_promises(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        expect_whole((ifn_op)op, PROFILE_CI, 1);
}

/* Each shard has the digest of the whole plan, by which shards are merged. */
static void every_shard_knows_the_same_whole(void **state)
{
    (void)state;
    ifn_error err = {0};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_filter filter = {.seed = 1};
        conform_plan all;
        int64_t n = 0;
        assert_ok(conform_plan_open(&all, specs[op], &filter, &err), err);
        for (int64_t shard = 0; shard < 3; shard++) {
            const conform_filter one = {.seed = 1, .shard = shard, .n_shards = 3};
            conform_plan plan;
            assert_ok(conform_plan_open(&plan, specs[op], &one, &err), err);
            assert_that(plan.whole_digest == all.digest, "%s: shard %d has another plan",
                        ifn_op_name((ifn_op)op), (int)shard);
            n += plan.n;
            conform_plan_close(&plan);
        }
        assert_int_equal(n, all.n);
        conform_plan_close(&all);
    }
}

static plan_dice dice(void)
{
    return (plan_dice){.stream = conform_stream_of(5, "aim")};
}

static void a_case_is_aimed_at_a_class(void **state)
{
    (void)state;
    const spec_op *const spec = specs[IFN_OP_MATMUL];
    const spec_dim *const dims[] = {&spec->dims[0], &spec->dims[1], &spec->dims[2]};
    const plan_shape shape = {conform_module_of(IFN_OP_MATMUL), dims, 3};
    plan_dice d = dice();
    const plan_aimer a = {spec, &shape, PROFILE_SMOKE, &d};
    const int tiny = TIER_T1 * FAMILY_COUNT + FAMILY_TINY;
    const int classes[] = {
        reach_class(REACH_REGIMES, tiny, 0),     reach_class(REACH_OCTAVES, 1, 0),
        reach_class(REACH_OCTAVES, 1, 9),        reach_class(REACH_RESIDUES, reach_pair(0, 2), 6),
        reach_class(REACH_FAR, 1, FAR_BYTES_32), reach_class(REACH_LARGE, tiny, 0)};
    for (size_t i = 0; i < N_OF(classes); i++) {
        conform_case c = {
            .op = IFN_OP_MATMUL, .dim = {5, 5, 5}, .tier = TIER_T1, .family = FAMILY_NORMAL};
        conform_reach reach = {0};
        const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
        const reach_hole hole = {.key = any, .class = classes[i], .needed = 1};
        assert_true(plan_can_aim(classes[i]));
        assert_true(plan_aim(&a, &c, &hole));
        conform_reach_count(
            &reach, &c, &(conform_verdict){.outcome = OUTCOME_PASS, .far = conform_far_due(&c)});
        assert_int_equal(reach_sum(&reach.reached, any, classes[i]), 1);
        conform_reach_close(&reach);
    }
}

/* Those classes are reached anyway, or have written entries. */
static void some_classes_are_aimed_at_by_nobody(void **state)
{
    (void)state;
    assert_false(plan_can_aim(reach_class(REACH_RELATIONS, 3, 0)));
    assert_false(plan_can_aim(reach_class(REACH_ADDRESSES, 0, 3)));
    assert_false(
        plan_can_aim(reach_class(REACH_REGIMES, TIER_GOLDEN * FAMILY_COUNT + FAMILY_WRITTEN, 0)));
    assert_true(plan_is_large(reach_class(REACH_OCTAVES, 1, 9)));
    assert_true(plan_is_large(reach_class(REACH_LARGE, 0, 0)));
    assert_false(plan_is_large(reach_class(REACH_OVERLAPS, 0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(smoke_plans_what_it_promises),        RUN(ci_plans_what_it_promises),
        RUN(every_shard_knows_the_same_whole),    RUN(a_case_is_aimed_at_a_class),
        RUN(some_classes_are_aimed_at_by_nobody),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
