#include "reach.h"

#include <string.h>

#include "test.h"

static const conform_verdict passed = {
    .outcome = OUTCOME_PASS, .parts = 3, .threads = 2, .relations = {{1, 1, 1}, [8] = {2, 1, 0}}};

static conform_case case_of(int64_t m, int64_t n)
{
    return (conform_case){
        .op = IFN_OP_MATMUL, .dim = {m, n, 1}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 7};
}

static int64_t count_of(const conform_reach *r, reach_kind kind, int list, int at)
{
    static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
    return reach_sum(&r->reached, any, reach_class(kind, list, at));
}

TEST(classes_and_kinds_are_each_others_inverse)
{
    for (int class = 0; class < REACH_CLASSES; class ++) {
        int list, at;
        const reach_kind kind = reach_kind_of(class, &list, &at);
        assert_true(list < reach_lists_of(kind) && at < reach_length_of(kind));
        assert_int_equal(reach_class(kind, list, at), class);
    }
}

/* A regime counts a second time, among large sizes, if a size is large. */
TEST(regimes_of_large_sizes_are_counted_by_themselves)
{
    const conform_case small = case_of(REACH_LARGE_SIZE - 1, 3),
                       large = case_of(3, REACH_LARGE_SIZE);
    const int normal = TIER_T1 * FAMILY_COUNT + FAMILY_NORMAL;
    conform_reach r = {0};
    conform_reach_count(&r, &small, &passed);
    assert_int_equal(count_of(&r, REACH_LARGE, normal, 0), 0);
    conform_reach_count(&r, &large, &passed);
    assert_int_equal(count_of(&r, REACH_LARGE, normal, 0), 1);
    assert_int_equal(count_of(&r, REACH_REGIMES, normal, 0), 2);
    conform_reach_close(&r);
}

TEST(octaves_double)
{
    static const struct {
        int64_t size;
        int octave;
    } cases[] = {{-1, 0}, {0, 0}, {1, 1}, {2, 2}, {3, 2}, {4, 3}, {8191, 13}, {8192, 14}};
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_int_equal(reach_octave(cases[i].size), cases[i].octave);
}

TEST(residues_are_those_of_every_width)
{
    static const struct {
        int64_t size;
        int residue;
    } cases[] = {{0, 3}, {1, 3}, {5, 3}, {7, 2}, {8, 0}, {9, 1}, {12, 3}, {31, 2}, {65, 1}};
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_int_equal(reach_residue(cases[i].size), cases[i].residue);
}

TEST(a_judged_case_counts_in_all_its_classes)
{
    conform_reach r = {0};
    const conform_case c = case_of(9, 16);
    conform_reach_count(&r, &c, &passed);
    conform_reach_count(&r, &c, &passed);
    assert_int_equal(count_of(&r, REACH_REGIMES, TIER_T1 * FAMILY_COUNT + FAMILY_NORMAL, 0), 2);
    assert_int_equal(count_of(&r, REACH_OCTAVES, 0, 4), 2);
    assert_int_equal(count_of(&r, REACH_OCTAVES, 1, 5), 2);
    assert_int_equal(count_of(&r, REACH_RESIDUES, reach_pair(0, 1), 1 * REACH_N_RESIDUES), 2);
    assert_int_equal(count_of(&r, REACH_RELATIONS, 0, 0), 2);
    assert_int_equal(count_of(&r, REACH_RELATIONS, 1, 0), 0);
    assert_int_equal(count_of(&r, REACH_RELATIONS, 8, 0), 2);
    assert_int_equal(count_of(&r, REACH_PARTS, 0, 3), 2);
    assert_int_equal(count_of(&r, REACH_THREADS, 0, 2), 2);
    int64_t addresses = 0;
    for (int i = 0; i < 16; i++)
        addresses += count_of(&r, REACH_ADDRESSES, 0, i);
    assert_in_range(addresses, 2, 6); /* three tensors; an address modulo 64 counts once a case */
    conform_reach_close(&r);
}

/* A case does not count if its process died, or if the backend refused what it had not declared as unsupported. */
TEST(a_case_without_a_judgement_does_not_count)
{
    static const conform_verdict verdicts[] = {
        {.outcome = OUTCOME_NOT_RUN},
        {.outcome = OUTCOME_REFUSED},
        {.outcome = OUTCOME_FAIL, .check = CHECK_CRASH},
        {.outcome = OUTCOME_FAIL, .check = CHECK_MEMORY},
    };
    conform_reach r = {0};
    const conform_case c = case_of(9, 16);
    for (size_t i = 0; i < N_OF(verdicts); i++)
        conform_reach_count(&r, &c, &verdicts[i]);
    assert_int_equal(r.reached.n + r.refused.n, 0);
    conform_reach_count(&r, &c, &(conform_verdict){.outcome = OUTCOME_FAIL, .check = CHECK_VALUE});
    assert_int_equal(r.reached.n, 1);
    conform_reach_count(&r, &c, &(conform_verdict){.outcome = OUTCOME_REFUSED, .is_declared = 1});
    assert_int_equal(r.refused.n, 1);
    conform_reach_close(&r);
}

/* Its sizes do not count, as the call computes nothing. */
TEST(a_call_that_must_be_refused_counts_as_that_alone)
{
    conform_reach r = {0};
    conform_case c = case_of(9, 16);
    c.tier = TIER_REFUSE;
    conform_reach_count(&r, &c, &passed);
    assert_int_equal(count_of(&r, REACH_REGIMES, TIER_REFUSE * FAMILY_COUNT + FAMILY_NORMAL, 0), 1);
    assert_int_equal(count_of(&r, REACH_OCTAVES, 0, 4), 0);
    assert_int_equal(count_of(&r, REACH_RELATIONS, 0, 0), 0);
    conform_reach_close(&r);
}

TEST(kinds_of_cases_are_kept_apart_and_summed_up)
{
    conform_reach r = {0};
    conform_case c = case_of(9, 16);
    conform_reach_count(&r, &c, &passed);
    c.prepared = 1;
    conform_reach_count(&r, &c, &passed);
    c.dtype = IFN_DTYPE_F16;
    conform_reach_count(&r, &c, &passed);
    assert_int_equal(r.reached.n, 3);
    const int class = reach_class(REACH_OCTAVES, 0, 4);
    const reach_key f32 = {IFN_DTYPE_F32, REACH_ANY_FORM, REACH_ANY_DTYPE};
    const reach_key prepared = {REACH_ANY_DTYPE, 1, IFN_DTYPE_F32};
    assert_int_equal(reach_sum(&r.reached, f32, class), 2);
    assert_int_equal(reach_sum(&r.reached, prepared, class), 2);
    conform_reach_close(&r);
}

TEST(counts_add_up_and_the_larger_promise_holds)
{
    static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
    conform_reach a = {0}, b = {0};
    const conform_case c = case_of(9, 16);
    const int class = reach_class(REACH_OCTAVES, 0, 4);
    conform_reach_count(&a, &c, &passed);
    conform_reach_count(&b, &c, &passed);
    reach_row_of(&a.needed, any)->at[class] = 8;
    reach_row_of(&b.needed, any)->at[class] = 3;
    conform_reach_merge(&a, &b);
    assert_int_equal(count_of(&a, REACH_OCTAVES, 0, 4), 2);
    assert_int_equal(reach_row_of(&a.needed, any)->at[class], 8);
    conform_reach_merge(&b, &a);
    assert_int_equal(reach_row_of(&b.needed, any)->at[class], 8);
    conform_reach_close(&a);
    conform_reach_close(&b);
}

TEST(lists_have_the_names_of_the_op)
{
    char room[64];
    assert_string_equal(reach_list_name(IFN_OP_ADD, REACH_OVERLAPS, 1, room, sizeof room), "out=y");
    assert_string_equal(reach_list_name(IFN_OP_MATMUL, REACH_OCTAVES, 1, room, sizeof room), "n");
    assert_string_equal(
        reach_list_name(IFN_OP_MATMUL, REACH_RESIDUES, reach_pair(0, 2), room, sizeof room), "m,p");
    assert_null(reach_list_name(IFN_OP_ADD, REACH_OCTAVES, 1, room, sizeof room));
    assert_null(reach_list_name(IFN_OP_ADD, REACH_OCTAVES, 7, room, sizeof room));
    assert_null(reach_list_name(IFN_OP_ADD, REACH_RESIDUES, 0, room, sizeof room));
}
