#include "verdict.h"

#include "test.h"

TEST(the_first_failure_stays)
{
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_verdict_fail(&v, CHECK_GAP, "row %d", 3);
    conform_verdict_fail(&v, CHECK_INPUT, "later");
    assert_int_equal(v.outcome, OUTCOME_FAIL);
    assert_int_equal(v.check, CHECK_GAP);
    assert_string_equal(v.detail, "row 3");
}

TEST(every_fault_has_a_name)
{
    assert_string_equal(conform_check_name(CHECK_NONE), "none");
    assert_string_equal(conform_check_name(CHECK_HANG), "hang");
    assert_string_equal(conform_check_name(CHECK_COUNT), "?");
}

/* Each of R0 .. R10 has a check that fails when it is broken, and every check has a text. */
TEST(every_relation_has_a_check)
{
    int n[CONFORM_INVARIANCES] = {0};
    for (int f = 0; f < CHECK_COUNT; f++) {
        const int i = conform_check_relation((conform_check)f);
        assert_in_range(i + 1, 0, CONFORM_INVARIANCES);
        assert_true(*conform_check_text((conform_check)f));
        if (i >= 0)
            n[i]++;
    }
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        assert_true(n[i] > 0);
    assert_int_equal(conform_check_relation(CHECK_CHUNKS), 3);
    assert_int_equal(conform_check_relation(CHECK_LAW), -1);
    assert_string_equal(conform_check_run(CHECK_LAW), "composed of primitive ops");
    assert_null(conform_check_run(CHECK_SLACK));
    assert_null(conform_check_alone(CHECK_BATCH));
}
