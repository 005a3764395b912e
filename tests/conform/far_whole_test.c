#include "far_whole.h"

#include "far.h"
#include "test.h"

TEST(the_call_ends_some_pages_after_2_to_the_32_bytes)
{
    static const ifn_op ops[] = {IFN_OP_COPY_IN, IFN_OP_COPY_OUT, IFN_OP_ARGMAX_WITH_PROB};
    for (size_t i = 0; i < N_OF(ops); i++)
        for (uint64_t seed = 1; seed < 100; seed++) {
            const conform_case home = {.op = ops[i], .dim = {40}, .seed = seed};
            const far_whole *const w = conform_far_whole_of(ops[i]);
            const conform_case far = conform_far_whole_case(w, &home);
            const int64_t past = far.dim[0] * (int64_t)w->element_bytes - (INT64_C(1) << 32);
            assert_in_range(past, 3 << 12, 4 << 12);
            assert_true(far.dim[0] <= INT32_MAX || w->out);
        }
}

TEST(an_op_with_parts_has_none)
{
    assert_null(conform_far_whole_of(IFN_OP_ADD));
    assert_null(conform_far_whole_of(IFN_OP_COPY_ROW_2D));
}

/* So that hardly a case has it by chance, and one can be made to. */
TEST(a_case_is_made_due)
{
    const conform_stream seeds = conform_stream_of(7, "due");
    conform_case c = {
        .op = IFN_OP_COPY_IN, .dim = {40}, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 1};
    uint64_t next = 0;
    int n = 0;
    for (c.seed = 1; c.seed <= 1000; c.seed++)
        n += conform_far_is_due(&c);
    assert_in_range(n, 0, 1);
    assert_true(conform_far_make_due(&c, seeds, &next));
    assert_int_equal(conform_far_due(&c), conform_far_whole_classes());
    assert_true(next > 0);
    c.tier = TIER_REFUSE;
    assert_false(conform_far_make_due(&c, seeds, &next));
}
