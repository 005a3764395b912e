#include "verdict.h"

#include "test.h"

static void the_first_failure_stays(void **state)
{
    (void)state;
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_verdict_fail(&v, FAULT_GAP, "row %d", 3);
    conform_verdict_fail(&v, FAULT_INPUT, "later");
    assert_int_equal(v.outcome, OUTCOME_FAIL);
    assert_int_equal(v.fault, FAULT_GAP);
    assert_string_equal(v.detail, "row 3");
}

static void every_fault_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(conform_fault_name(FAULT_NONE), "none");
    assert_string_equal(conform_fault_name(FAULT_HANG), "hang");
    assert_string_equal(conform_fault_name(FAULT_COUNT), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_first_failure_stays),
        RUN(every_fault_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
