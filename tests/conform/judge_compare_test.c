#include <string.h>

#include "judge.h"
#include "test.h"
#include "tested.h"

TEST(a_written_gap_is_found_and_an_untouched_one_is_not)
{
    const conform_case padded = {.op = IFN_OP_LINEAR,
                                 .dim = {3, 5, 8, 1, 3, 0},
                                 .tier = TIER_T1,
                                 .family = FAMILY_NORMAL,
                                 .seed = 3};
    conform_case dense = padded;
    dense.dim[4] = 0;
    const conform_verdict v = judge_once(&tested_writes_gap, &padded);
    assert_int_equal(v.check, CHECK_GAP);
    assert_non_null(strstr(v.detail, "the gap after row 0 of out_0"));
    assert_int_equal(judge_once(&tested_writes_gap, &dense).outcome, OUTCOME_PASS);
    assert_int_equal(judge_once(&tested_honest, &padded).outcome, OUTCOME_PASS);
}

static conform_outcome judge_depth(int64_t m, conform_family family)
{
    const conform_case c = {
        .op = IFN_OP_MATMUL, .dim = {m, 4096, 5}, .tier = TIER_T1, .family = family, .seed = 4};
    return judge_once(&tested_shallow, &c).outcome;
}

/* The products are correct, but less exact than declared; sums of random terms do not show that. */
TEST(a_path_that_is_deeper_than_declared_is_found_by_stagnant_sums)
{
    assert_int_equal(judge_depth(1, FAMILY_STAGNANT), OUTCOME_FAIL);
    assert_int_equal(judge_depth(5, FAMILY_STAGNANT), OUTCOME_PASS);
    assert_int_equal(judge_depth(1, FAMILY_NORMAL), OUTCOME_PASS);
}

TEST(a_wrong_value_is_reported_with_its_place_and_pattern)
{
    const conform_case c = {.op = IFN_OP_MATMUL,
                            .dim = {1, 4, 30},
                            .tier = TIER_T0,
                            .family = FAMILY_LATTICE,
                            .seed = 1};
    const conform_verdict v = judge_once(&tested_zeros, &c);
    assert_int_equal(v.check, CHECK_VALUE);
    assert_string_equal(v.tensor, "out");
    assert_non_null(strstr(v.detail, "all: "));
    assert_true(v.worst.got == 0 && v.worst.want != 0 && v.worst.bound == 0);
    assert_true(v.worst.n_wrong > 0);
    assert_false(v.is_raw);
}
