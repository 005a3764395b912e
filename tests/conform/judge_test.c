#include "judge.h"

#include <string.h>

#include "abi.h"
#include "leaves.h"
#include "test.h"
#include "tested.h"

static conform_case matmul_case(int64_t m, int64_t n, int64_t p)
{
    return (conform_case){
        .op = IFN_OP_MATMUL, .dim = {m, n, p}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 7};
}

static void expect_fault(const conform_tested *tested, conform_case c, conform_check check)
{
    const conform_verdict v = judge_once(tested, &c);
    assert_that(v.check == check, "%s: %s: %s, expected %s", tested->label,
                conform_check_name(v.check), v.detail, conform_check_name(check));
    assert_int_equal(v.outcome, check ? OUTCOME_FAIL : OUTCOME_PASS);
}

TEST(an_honest_backend_is_called_in_every_way)
{
    const conform_case c = matmul_case(5, 9, 7);
    const conform_verdict v = judge_once(&tested_honest, &c);
    assert_int_equal(v.outcome, OUTCOME_PASS);
    assert_true(v.calls >= 4 + 2); /* four whole calls, and parts */
    assert_int_equal(v.n_compared, 35);
    assert_true(v.ratio > 0 && v.ratio < 1);
    assert_that(v.seconds > 0 && v.seconds < 60, "%g s", v.seconds);
    assert_string_equal(v.tensor, "out");
}

TEST(empty_tensors_are_ordinary)
{
    expect_fault(&tested_honest, matmul_case(0, 3, 3), CHECK_NONE);
    expect_fault(&tested_honest, matmul_case(3, 0, 3), CHECK_NONE);
    expect_fault(&tested_honest, matmul_case(3, 3, 0), CHECK_NONE);
}

TEST(faults_that_do_not_kill_are_seen_in_one_process)
{
    const conform_case c = matmul_case(5, 9, 7);
    expect_fault(&tested_one_before, c, CHECK_SLACK);
    expect_fault(&tested_stale_output, c, CHECK_VALUE);
    expect_fault(&tested_drops_last, c, CHECK_VALUE);
    expect_fault(&tested_swaps_rows, c, CHECK_VALUE);
    expect_fault(&tested_zeros, c, CHECK_VALUE);
    expect_fault(&tested_whole_in_every_part, c, CHECK_OUTSIDE);
    expect_fault(&tested_ignores_parts, c, CHECK_PARTS);
    expect_fault(&tested_wobbles, c, CHECK_REPEAT);
    expect_fault(&tested_fails, matmul_case(3, 9, 7), CHECK_STATUS);
}

TEST(a_case_may_say_where_its_tensors_lie)
{
    conform_case c = matmul_case(5, 9, 7);
    c.is_at = 1;
    expect_fault(&tested_address_dependent, c, CHECK_NONE);
    c.at = 8;
    expect_fault(&tested_address_dependent, c, CHECK_NONE);
    c.at = 4;
    expect_fault(&tested_address_dependent, c, CHECK_PLACE);
    expect_fault(&tested_drops_last, c, CHECK_VALUE);
    expect_fault(&tested_whole_in_every_part, c, CHECK_OUTSIDE);
}

/* Compilers leave the upper halves dirty, too, so it is no failure. */
TEST(dirty_vector_state_is_noted_and_no_fault)
{
    const conform_case c = matmul_case(5, 9, 7);
    const conform_verdict v = judge_once(&tested_leaves_upper, &c);
    assert_int_equal(v.outcome, OUTCOME_PASS);
    assert_int_equal(v.left_upper, conform_abi_checks_upper());
    assert_int_equal(judge_once(&tested_honest, &c).left_upper, 0);
    const conform_verdict of_tiles = judge_once(&tested_leaves_tiles, &c);
    assert_int_equal(of_tiles.outcome, OUTCOME_PASS);
    assert_int_equal(of_tiles.left_tiles, conform_abi_checks_upper() && ifn_cpu_ask_for_tiles());
    assert_int_equal(judge_once(&tested_honest, &c).left_tiles, 0);
}

/* A few of 64 alignments are odd multiples of a float: some seed must draw one. */
TEST(bits_that_depend_on_an_address_are_seen)
{
    int n = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        conform_case c = matmul_case(5, 9, 7);
        c.seed = seed;
        const conform_verdict v = judge_once(&tested_address_dependent, &c);
        n += v.check == CHECK_PLACE;
    }
    assert_true(n > 0);
}

/* Gives other bits if out[2] lies between out[0] and out[1]; in regions of their own out[1] lies before out[2]. */
static ifn_status ordered_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    if (status == IFN_OK && a->n_w == 3 && a->rows > 0 && a->out[2] > a->out[0] &&
        a->out[2] < a->out[1])
        a->out[1][0] = 0.5f;
    return status;
}

LEAF(linear, ordered)

TEST(tensors_stand_in_any_order)
{
    const conform_case c = {
        .op = IFN_OP_LINEAR, .dim = {1, 5, 8, 3, 0, 0}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    const leaf_statistics s = leaf_judge(&ordered[0], c, CHECK_PLACE);
    assert_that(s.n_check > 0 && s.n_passed > 0, "%d, %d", s.n_check, s.n_passed);
}

/* Refuses out in the memory of gate where out has another dtype. */
static ifn_status apart_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return a->out_dtype != IFN_DTYPE_F32 && a->out && a->out == a->gate ? IFN_ERR_SHAPE
                                                                        : ifn_swiglu(self->base, a);
}

LEAF(swiglu, apart)

TEST(empty_tensors_have_addresses_of_their_own)
{
    for (uint64_t seed = 0; seed < 32; seed++) {
        const conform_case c = {.op = IFN_OP_SWIGLU,
                                .out_dtype = IFN_DTYPE_Q8_32F,
                                .dim = {2, 0},
                                .tier = TIER_T1,
                                .family = FAMILY_NORMAL,
                                .seed = seed};
        expect_fault(&apart[0], c, CHECK_NONE);
    }
}

TEST(a_refusal_is_counted_and_a_refusal_that_wrote_fails)
{
    const conform_case c = matmul_case(2, 2, 2);
    assert_int_equal(judge_once(&tested_refuses, &c).outcome, OUTCOME_REFUSED);
    expect_fault(&tested_writes_refused, c, CHECK_WROTE);
}

TEST(in_place_is_compared_with_out_of_place)
{
    conform_case c = {.op = IFN_OP_ADD, .dim = {9}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    expect_fault(&tested_reads_late, c, CHECK_NONE);
    c.alias = 1; /* out=x */
    expect_fault(&tested_reads_late, c, CHECK_ALIAS);
    expect_fault(&tested_honest, c, CHECK_NONE);
    c.alias = 2; /* out=y */
    expect_fault(&tested_reads_late, c, CHECK_ALIAS);
}

/* The value is within every bound; only the comparison with the wrapped backend finds the difference. */
TEST(a_wrapper_has_the_bits_of_what_it_wraps)
{
    int n = 0;
    for (uint64_t seed = 0; seed < 200 && n == 0; seed++) {
        const conform_case c = {.op = IFN_OP_ADD,
                                .dim = {1},
                                .tier = TIER_SPECIAL,
                                .family = FAMILY_SPECIALS,
                                .seed = seed};
        const conform_verdict v = judge_once(&tested_own_arithmetic, &c);
        n += v.check == CHECK_WRAPPER || v.check == CHECK_VALUE;
    }
    assert_true(n > 0);
}

TEST(runs_have_names)
{
    assert_string_equal(conform_run_name(RUN_PARTS), "in parts");
    assert_string_equal(conform_run_name(RUN_DUEL), "beside another call");
    assert_string_equal(conform_run_name(RUN_SLACK), "?");
    assert_string_equal(conform_run_name(RUN_COUNT), "?");
    assert_int_equal(conform_run_check(RUN_LAW), CHECK_LAW);
    assert_int_equal(conform_run_check(RUN_START), CHECK_PLACE);
    assert_int_equal(conform_run_check(RUN_WHOLE), CHECK_PARTS);
}
