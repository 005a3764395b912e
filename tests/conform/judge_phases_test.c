/* attention by PARTIALS and MERGE: faults that only a cut between key blocks shows. */
#include <string.h>

#include "bench.h"
#include "gen.h"
#include "leaves.h"

/* 602 keys are three blocks; the last is not full. */
static conform_case blocks_case(void)
{
    return (conform_case){.op = IFN_OP_ATTENTION,
                          .dim = {2, 600, 1, 2, 2, 8, 1},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static ifn_status honest_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

/* Gives other bits in phase WHOLE. */
static ifn_status other_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (a->phase == IFN_ATTENTION_WHOLE && a->part_end == 0)
        leaf_nudge(a->out, a->rows * a->n_heads * a->head_dim);
    return status;
}

/* Carries over: the first block of a part that does not begin at block 0 also holds something of the block before
 * it. */
static ifn_status carrying_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    if (a->phase == IFN_ATTENTION_PARTIALS && a->part2_begin > 0 && a->part2_begin < a->part2_end)
        for (int64_t i = 0; i < a->rows; i++)
            a->partials[((i * a->n_heads + a->part_begin) * 3 + a->part2_begin) *
                        (2 + a->head_dim)] += 1;
    return status;
}

/* Takes a part that begins after the last block, and is empty, for the whole. */
static ifn_status overflowing_attention(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args all = *a;
    if (a->phase == IFN_ATTENTION_PARTIALS && a->part2_begin == 3)
        all.part2_begin = all.part2_end = 0;
    return ifn_attention(self->base, &all);
}

/* Reads and rewrites a float after its blocks, which belongs to another part. */
static ifn_status restoring_attention(ifn_backend *self, const ifn_attention_args *a)
{
    const int64_t blocks = 3, at = a->part_end * blocks * (2 + a->head_dim);
    volatile float *const last = a->partials + at - (blocks - a->part2_end) * (2 + a->head_dim);
    if (a->phase == IFN_ATTENTION_PARTIALS && a->rows == 1 && a->part2_end > 0 &&
        a->part2_end < blocks)
        *last = *last;
    return ifn_attention(self->base, a);
}

/* Computes all blocks, whatever the part. */
static ifn_status greedy_attention(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args all = *a;
    if (a->phase == IFN_ATTENTION_PARTIALS)
        all.part2_begin = all.part2_end = 0;
    return ifn_attention(self->base, &all);
}

/* MERGE writes one head too many. */
static ifn_status merging_attention(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args more = *a;
    if (a->phase == IFN_ATTENTION_MERGE && a->part_end > 0 && a->part_end < a->n_heads)
        more.part_end++;
    return ifn_attention(self->base, &more);
}

/* Refuses every phase but WHOLE. */
static ifn_status phaseless_attention(ifn_backend *self, const ifn_attention_args *a)
{
    return a->phase == IFN_ATTENTION_WHOLE ? ifn_attention(self->base, a) : IFN_ERR_UNSUPPORTED;
}

/* Merges a part correctly, but leaves out the last block when it merges all heads at once. */
static ifn_status forgetful_attention(ifn_backend *self, const ifn_attention_args *a)
{
    static float partials[2 * 4 * 3 * (2 + 8)];
    ifn_attention_args fewer = *a;
    if (a->phase == IFN_ATTENTION_MERGE && a->part_end == 0 && a->partials) {
        memcpy(partials, a->partials, sizeof partials);
        for (int64_t i = 0; i < a->rows * a->n_heads; i++)
            partials[(i * 3 + 2) * (2 + a->head_dim) + 1] = 0;
        fewer.partials = partials;
    }
    return ifn_attention(self->base, &fewer);
}

LEAF(attention, honest)
LEAF(attention, other)
LEAF(attention, carrying)
LEAF(attention, greedy)
LEAF(attention, restoring)
LEAF(attention, overflowing)
LEAF(attention, merging)
LEAF(attention, phaseless)
LEAF(attention, forgetful)

TEST(phases_are_judged_and_have_the_bits_of_the_whole)
{
    const conform_case c = blocks_case();
    const conform_verdict v = judge_once(&honest[0], &c);
    assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    assert_int_equal(v.relations[1].tried, 2); /* R1 was tried in parts, and in one call */
    assert_int_equal(v.relations[1].held, 2);
    assert_true(v.n_compared >= 2 * 4 * 8);
}

TEST(nothing_and_single_blocks_are_ordinary)
{
    static const int64_t shapes[][6] = {{0, 0, 0, 1, 1, 4},   {0, 3, 0, 2, 2, 4},
                                        {1, 0, 0, 1, 1, 4},   {3, 0, 2, 1, 2, 1},
                                        {2, 255, 0, 1, 1, 2}, {2, 3, 0, 2, 1, 0}};
    for (size_t i = 0; i < N_OF(shapes); i++) {
        conform_case c = blocks_case();
        memcpy(c.dim, shapes[i], sizeof shapes[i]);
        const conform_verdict v = judge_once(&honest[0], &c);
        assert_that(v.outcome == OUTCOME_PASS, "%zu: %s", i, v.detail);
    }
}

TEST(another_order_in_one_call_breaks_r1_where_that_is_promised)
{
    const conform_case c = blocks_case();
    const conform_verdict v = judge_once(&other[0], &c), free = judge_once(&other[1], &c);
    assert_int_equal(v.check, CHECK_PARTS);
    assert_non_null(strstr(v.detail, "R1: in one call"));
    assert_that(free.outcome == OUTCOME_PASS, "%s", free.detail);
    assert_int_equal(free.relations[1].tried, 2);
    assert_int_equal(free.relations[1].held, 1);
    assert_int_equal(free.relations[1].demanded, 0);
}

TEST(wrong_partials_of_a_part_are_found)
{
    assert_true(leaf_judge(&carrying[0], blocks_case(), CHECK_PARTS).n_check > 10);
    assert_true(leaf_judge(&carrying[1], blocks_case(), CHECK_PARTS).n_check > 10);
}

TEST(writing_another_part_is_found)
{
    assert_true(leaf_judge(&greedy[0], blocks_case(), CHECK_OUTSIDE).n_check > 10);
    assert_true(leaf_judge(&merging[0], blocks_case(), CHECK_OUTSIDE).n_check > 10);
}

TEST(a_part_of_no_blocks_writes_nothing)
{
    const leaf_statistics t = leaf_judge(&overflowing[0], blocks_case(), CHECK_OUTSIDE);
    assert_that(t.n_check > 3 && t.n_other == 0, "%d, %d: %s", t.n_check, t.n_other, t.first);
}

TEST(writing_another_part_for_a_moment_is_found)
{
    conform_case c = blocks_case();
    c.dim[0] = 1;
    while (conform_hash(c.seed, "fence", 0) % 2 || conform_hash(c.seed, "fence", 1) & 1)
        c.seed++;
    bench_expect(&restoring[0], c, CHECK_GUARD, "SIGSEGV writing");
}

TEST(a_merge_without_its_last_block_is_wrong)
{
    const leaf_statistics t = leaf_judge(&forgetful[1], blocks_case(), CHECK_VALUE);
    assert_int_equal(t.n_passed, 0);
}

TEST(phases_that_are_refused_are_refusals)
{
    const conform_case c = blocks_case();
    assert_int_equal(judge_once(&phaseless[1], &c).outcome, OUTCOME_REFUSED);
}
