#include "judge.h"

#include "subjects.h"
#include "test.h"

static void expect_fault(const conform_subject *subject, conform_case c, conform_fault fault)
{
    const conform_verdict v = judge_once(subject, &c);
    assert_that(v.fault == fault, "%s: %s: %s, expected %s", subject->label,
                conform_fault_name(v.fault), v.detail, conform_fault_name(fault));
    assert_int_equal(v.outcome, fault ? OUTCOME_FAIL : OUTCOME_PASS);
}

static conform_case linear_case(int32_t prepared)
{
    return (conform_case){.op = IFN_OP_LINEAR,
                          .dim = {3, 5, 8, 1, 3, 0},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .prepared = prepared,
                          .seed = 3};
}

static void handles_go_to_the_ops_they_name(void **state)
{
    (void)state;
    expect_fault(&subject_packs, linear_case(0), FAULT_NONE);
    expect_fault(&subject_packs, linear_case(1), FAULT_VALUE);
    expect_fault(&subject_packs_for_q8, linear_case(1), FAULT_NONE);
    expect_fault(&subject_cannot_pack, linear_case(1), FAULT_PREPARE);
    expect_fault(&subject_cannot_pack, linear_case(0), FAULT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(handles_go_to_the_ops_they_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
