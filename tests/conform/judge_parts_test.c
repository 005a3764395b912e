#include <string.h>

#include "judge.h"
#include "subjects.h"
#include "test.h"

static conform_case case_of(int64_t p, uint64_t seed)
{
    return (conform_case){.op = IFN_OP_MATMUL,
                          .dim = {6, 3, p},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .seed = seed};
}

/* subject_one_granule is right exactly where every cut is a multiple of four. */
static void cuts_fall_on_the_granule(void **state)
{
    (void)state;
    int32_t most = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        const conform_case c = case_of(19, seed);
        const conform_verdict v = judge_once(&subject_one_granule, &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
        most = v.calls > most ? v.calls : most;
    }
    assert_true(most > 4 + 4); /* rows and columns were cut together */
}

static void a_granule_as_large_as_the_extent_means_no_cut(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = case_of(4, seed);
        assert_int_equal(judge_once(&subject_one_granule, &c).outcome, OUTCOME_PASS);
    }
}

static void a_part_that_writes_too_much_or_too_little_is_found(void **state)
{
    (void)state;
    int n_outside = 0, n_missing = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = case_of(19, seed);
        n_outside += judge_once(&subject_whole_in_every_part, &c).fault == FAULT_OUTSIDE;
        n_missing += judge_once(&subject_ignores_parts, &c).fault == FAULT_PARTS;
    }
    assert_int_equal(n_outside, 20);
    assert_true(n_missing >= 15);
}

static conform_case cut_at(int64_t rows, int64_t cols)
{
    conform_case c = case_of(19, 1);
    c.is_cut = 1;
    c.cut[0] = rows;
    c.cut[1] = cols;
    return c;
}

static void a_case_may_say_where_it_is_cut(void **state)
{
    (void)state;
    const conform_case whole = cut_at(0, 0), rows = cut_at(2, 0), both = cut_at(2, 3);
    const int32_t calls = judge_once(&subject_honest, &whole).calls;
    assert_int_equal(judge_once(&subject_honest, &rows).calls, calls + 2);
    assert_int_equal(judge_once(&subject_honest, &both).calls, calls + 4);
    assert_int_equal(judge_once(&subject_part_dependent, &whole).outcome, OUTCOME_PASS);
    assert_int_equal(judge_once(&subject_part_dependent, &rows).fault, FAULT_PARTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(cuts_fall_on_the_granule),
        RUN(a_granule_as_large_as_the_extent_means_no_cut),
        RUN(a_part_that_writes_too_much_or_too_little_is_found),
        RUN(a_case_may_say_where_it_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
