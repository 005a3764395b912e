#include "checks.h"

#include <string.h>

#include "test.h"

static const conform_case in_t0 = {.tier = TIER_T0}, in_t1 = {.tier = TIER_T1},
                          refused = {.tier = TIER_REFUSE},
                          probe = {.tier = TIER_T1, .family = FAMILY_SCALE_PROBE},
                          piece = {.tier = TIER_T1, .family = FAMILY_EVERY};

TEST(values_are_told_apart_by_tier)
{
    assert_int_equal(conform_check_of(&in_t0, FAULT_VALUE), TIER_T0);
    assert_int_equal(conform_check_of(&in_t0, FAULT_SCALAR), TIER_T0);
    assert_int_equal(conform_check_of(&in_t1, FAULT_VALUE), TIER_T1);
    assert_int_equal(conform_check_of(&probe, FAULT_VALUE), CHECK_PROBE);
    assert_int_equal(conform_check_of(&piece, FAULT_VALUE), CHECK_EVERY);
    assert_string_equal(conform_check_name(CHECK_EVERY), "every");
}

TEST(another_judgement_is_a_family_in_every_tier)
{
    assert_int_equal(conform_check_of(&in_t0, FAULT_PARTS), conform_check_of(&in_t1, FAULT_PARTS));
    assert_string_equal(conform_check_name(conform_check_of(&in_t1, FAULT_PARTS)), "parts");
}

TEST(what_should_be_refused_is_a_family_beside_wrong_statuses)
{
    assert_int_equal(conform_check_of(&refused, FAULT_STATUS), TIER_REFUSE);
    assert_int_not_equal(conform_check_of(&in_t1, FAULT_STATUS), TIER_REFUSE);
}

TEST(every_failure_has_a_family_with_a_name_of_its_own)
{
    for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++) {
        const int family = conform_check_of(&in_t1, (conform_fault)f);
        assert_true(family >= 0 && family < CHECK_COUNT);
        assert_true(*conform_check_name(family));
    }
    for (int a = 0; a < CHECK_COUNT; a++)
        for (int b = 0; b < a; b++)
            if (*conform_check_name(a))
                assert_string_not_equal(conform_check_name(a), conform_check_name(b));
}

TEST(only_deaths_are_no_judgement)
{
    for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++)
        assert_int_equal(conform_check_is_crash(conform_check_of(&in_t1, (conform_fault)f)),
                         f == FAULT_CRASH || f == FAULT_HANG || f == FAULT_MEMORY);
}

TEST(a_family_that_is_taken_away_is_not_heard_in_its_cases)
{
    const uint64_t t0 = UINT64_C(1) << TIER_T0;
    assert_int_equal(conform_muted_faults(&in_t0, 0), 0);
    assert_int_equal(conform_muted_faults(&in_t0, t0),
                     UINT64_C(1) << FAULT_VALUE | UINT64_C(1) << FAULT_SCALAR);
    assert_int_equal(conform_muted_faults(&in_t1, t0), 0);
}

TEST(a_muted_verdict_waits_for_another_failure)
{
    conform_verdict v = {.outcome = OUTCOME_PASS, .muted = UINT64_C(1) << FAULT_VALUE};
    conform_verdict_fail(&v, FAULT_VALUE, "not heard");
    assert_int_equal(v.outcome, OUTCOME_PASS);
    conform_verdict_fail(&v, FAULT_PARTS, "heard");
    assert_int_equal(v.fault, FAULT_PARTS);
}
