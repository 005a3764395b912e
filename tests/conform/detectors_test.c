#include "detectors.h"

#include <string.h>

#include "test.h"

static const conform_case in_t0 = {.tier = TIER_T0}, in_t1 = {.tier = TIER_T1},
                          refused = {.tier = TIER_REFUSE},
                          probe = {.tier = TIER_T1, .family = FAMILY_SCALE_PROBE},
                          piece = {.tier = TIER_T1, .family = FAMILY_EVERY};

TEST(values_are_told_apart_by_tier)
{
    assert_int_equal(conform_detector_of(&in_t0, CHECK_VALUE), TIER_T0);
    assert_int_equal(conform_detector_of(&in_t0, CHECK_SCALAR), TIER_T0);
    assert_int_equal(conform_detector_of(&in_t1, CHECK_VALUE), TIER_T1);
    assert_int_equal(conform_detector_of(&probe, CHECK_VALUE), DETECTOR_PROBE);
    assert_int_equal(conform_detector_of(&piece, CHECK_VALUE), DETECTOR_EVERY);
    assert_string_equal(conform_detector_name(DETECTOR_EVERY), "every");
}

TEST(another_judgement_is_a_detector_in_every_tier)
{
    assert_int_equal(conform_detector_of(&in_t0, CHECK_PARTS),
                     conform_detector_of(&in_t1, CHECK_PARTS));
    assert_string_equal(conform_detector_name(conform_detector_of(&in_t1, CHECK_PARTS)), "parts");
}

TEST(what_should_be_refused_is_a_detector_beside_wrong_statuses)
{
    assert_int_equal(conform_detector_of(&refused, CHECK_STATUS), TIER_REFUSE);
    assert_int_not_equal(conform_detector_of(&in_t1, CHECK_STATUS), TIER_REFUSE);
}

TEST(every_failure_has_a_detector_with_a_name_of_its_own)
{
    for (int f = CHECK_NONE + 1; f < CHECK_COUNT; f++) {
        const int detector = conform_detector_of(&in_t1, (conform_check)f);
        assert_true(detector >= 0 && detector < DETECTOR_COUNT);
        assert_true(*conform_detector_name(detector));
    }
    for (int a = 0; a < DETECTOR_COUNT; a++)
        for (int b = 0; b < a; b++)
            if (*conform_detector_name(a))
                assert_string_not_equal(conform_detector_name(a), conform_detector_name(b));
}

TEST(only_deaths_are_no_judgement)
{
    for (int f = CHECK_NONE + 1; f < CHECK_COUNT; f++)
        assert_int_equal(conform_detector_is_crash(conform_detector_of(&in_t1, (conform_check)f)),
                         f == CHECK_CRASH || f == CHECK_HANG || f == CHECK_MEMORY);
}

TEST(a_detector_that_is_taken_away_is_not_heard_in_its_cases)
{
    const uint64_t t0 = UINT64_C(1) << TIER_T0;
    assert_int_equal(conform_muted_checks(&in_t0, 0), 0);
    assert_int_equal(conform_muted_checks(&in_t0, t0),
                     UINT64_C(1) << CHECK_VALUE | UINT64_C(1) << CHECK_SCALAR);
    assert_int_equal(conform_muted_checks(&in_t1, t0), 0);
}

TEST(a_muted_verdict_waits_for_another_failure)
{
    conform_verdict v = {.outcome = OUTCOME_PASS, .muted = UINT64_C(1) << CHECK_VALUE};
    conform_verdict_fail(&v, CHECK_VALUE, "not heard");
    assert_int_equal(v.outcome, OUTCOME_PASS);
    conform_verdict_fail(&v, CHECK_PARTS, "heard");
    assert_int_equal(v.check, CHECK_PARTS);
}
