#include "sampled.h"

#include <stdlib.h>
#include <string.h>

#include "case_pool.h"
#include "long_case.h"
#include "slot.h"
#include "test.h"

enum { LINES = 1000, LENGTH = 300 };

static conform_case matmul(int64_t m, int64_t n, int64_t p, uint64_t seed)
{
    return (conform_case){.op = IFN_OP_MATMUL,
                          .dim = {m, n, p},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .seed = seed};
}

static const conform_grid columns = {.n_lines = LINES,
                                     .length = LENGTH,
                                     .line_step = 1,
                                     .element_step = LINES,
                                     .cost = 4096,
                                     .per_line = 3};

static conform_lines choose(const conform_case *c, conform_truth *t, conform_pool *pool)
{
    *t = (conform_truth){.is_sampled = 1};
    conform_truth_take(t, CLASS_BOUND, LINES * LENGTH, pool);
    return conform_choose_lines(c, t, &columns, pool);
}

TEST(lines_ascend_and_begin_and_end_where_the_output_does)
{
    conform_pool pool;
    conform_pool_init(&pool);
    for (uint64_t seed = 0; seed < 50; seed++) {
        const conform_case c = matmul(LENGTH, 4096, LINES, seed);
        conform_truth t;
        const conform_lines lines = choose(&c, &t, &pool);
        assert_in_range(lines.n, 12, 64);
        assert_int_equal(lines.at[0], 0);
        assert_int_equal(lines.at[lines.n - 1], LINES - 1);
        for (int64_t i = 1; i < lines.n; i++)
            assert_true(lines.at[i] > lines.at[i - 1]);
        conform_pool_reset(&pool);
    }
    conform_pool_fini(&pool);
}

static int64_t count_judged(const conform_truth *t, int64_t line)
{
    int64_t n = 0;
    for (int64_t e = 0; e < LENGTH; e++)
        n += !t->skip[line + e * LINES];
    return n;
}

TEST(of_each_line_some_elements_are_judged_and_of_others_none)
{
    const conform_case c = matmul(LENGTH, 4096, LINES, 7);
    conform_pool pool;
    conform_truth t;
    conform_pool_init(&pool);
    const conform_lines lines = choose(&c, &t, &pool);
    for (int64_t line = 0, i = 0; line < LINES; line++) {
        const int is_chosen = i < lines.n && lines.at[i] == line;
        assert_in_range(count_judged(&t, line), is_chosen ? 1 : 0, is_chosen ? 3 : 0);
        i += is_chosen;
    }
    assert_false(t.skip[0]);
    assert_false(t.skip[(LENGTH - 1) * LINES]);
    conform_pool_fini(&pool);
}

/* Lines on both sides of powers of two, of tiles and of offsets are chosen more often; every other line is chosen
 * for some seed. */
TEST(over_the_seeds_every_line_has_its_turn_and_edges_more_of_them)
{
    static int64_t turns[LINES];
    conform_pool pool;
    int64_t fewest = INT64_MAX;
    conform_pool_init(&pool);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        const conform_case c = matmul(LENGTH, 4096, LINES, seed);
        conform_truth t;
        const conform_lines lines = choose(&c, &t, &pool);
        for (int64_t i = 0; i < lines.n; i++)
            turns[lines.at[i]]++;
        conform_pool_reset(&pool);
    }
    for (int64_t i = 0; i < LINES; i++)
        fewest = turns[i] < fewest ? turns[i] : fewest;
    assert_true(fewest > 20);
    static const int64_t edges[] = {7, 8, 16, 255, 256, 511, 512, 767, 960, 991, 992};
    for (size_t i = 0; i < N_OF(edges); i++)
        assert_that(turns[edges[i]] > 150, "line %lld: %lld turns", (long long)edges[i],
                    (long long)turns[edges[i]]);
    conform_pool_fini(&pool);
}

TEST(a_truth_that_is_not_asked_for_samples_has_all_lines)
{
    const conform_case c = matmul(LENGTH, 4096, LINES, 1);
    conform_pool pool;
    conform_truth t = {0};
    conform_pool_init(&pool);
    conform_truth_take(&t, CLASS_BOUND, LINES * LENGTH, &pool);
    const conform_lines lines = conform_choose_lines(&c, &t, &columns, &pool);
    assert_int_equal(lines.n, LINES);
    assert_int_equal(conform_chosen_line(&lines, 5), 5);
    assert_int_equal(count_judged(&t, 5), LENGTH);
    conform_pool_fini(&pool);
}

/* Expects each chosen element to have the same want and bound as in the whole truth. */
static void compare_with_whole(const conform_case *c)
{
    conform_pool pool;
    conform_slot *s = calloc(1, sizeof *s);
    conform_truth whole[CONFORM_MAX_TENSORS] = {{0}};
    const conform_declared strict = conform_declared_default();
    const conform_module *m = conform_module_of(c->op);
    ifn_error err = {0};
    int64_t n = 0, n_judged = 0;
    conform_pool_init(&pool);
    assert_ok(conform_slot_build(s, &pool, c, NULL, NULL, &err), err);
    m->truth(c, &s->layout, s->before, &strict, &pool, whole);
    for (int t = 0; t < s->layout.n; t++)
        for (int64_t i = 0; whole[t].want && i < s->layout.t[t].rows * s->layout.t[t].cols; i++) {
            n++;
            if (s->truth[t].skip[i])
                continue;
            n_judged++;
            assert_memory_equal(&s->truth[t].want[i], &whole[t].want[i], sizeof(double));
            assert_memory_equal(&s->truth[t].bound[i], &whole[t].bound[i], sizeof(double));
        }
    assert_true(n_judged >= 24 && n_judged * 4 < n);
    conform_pool_fini(&pool);
    free(s);
}

TEST(what_is_chosen_is_judged_as_in_the_whole)
{
    static const conform_case cases[] = {
        {.op = IFN_OP_MATMUL, .dim = {50, 120, 90}, .tier = TIER_T1, .family = FAMILY_NORMAL},
        {.op = IFN_OP_LINEAR,
         .dtype = IFN_DTYPE_Q4_K,
         .dim = {30, 50, 256, 2, 3, 1},
         .tier = TIER_T2,
         .family = FAMILY_NORMAL},
        {.op = IFN_OP_LINEAR_Q8,
         .dtype = IFN_DTYPE_Q6_K,
         .dim = {30, 50, 256, 1, 1, 1},
         .tier = TIER_T1,
         .family = FAMILY_WIDE},
        {.op = IFN_OP_ATTENTION,
         .dtype = IFN_DTYPE_F16,
         .dim = {40, 30, 1, 3, 2, 32, 0},
         .tier = TIER_T1,
         .family = FAMILY_NORMAL},
        {.op = IFN_OP_ATTENTION,
         .dtype = IFN_DTYPE_Q8_0,
         .dim = {40, 30, 1, 3, 2, 32, 0},
         .tier = TIER_T0,
         .family = FAMILY_ONE_HOT},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        assert_true(conform_is_sampled(&cases[i]));
        compare_with_whole(&cases[i]);
    }
}

TEST(cases_are_long_by_their_work_or_their_largest_tensor)
{
    const conform_case small = matmul(64, 64, 64, 1), much = matmul(64, 65, 64, 1),
                       thin = matmul(1, 1, LONG_ELEMENTS + 1, 1),
                       none = {.op = IFN_OP_LINEAR, .dim = {1, 1, 1, 9}};
    conform_case written = much;
    int n_related = 0;
    assert_true(!conform_is_sampled(&small) && !conform_is_long(&small));
    assert_true(conform_is_sampled(&much) && conform_is_long(&much));
    assert_true(!conform_is_sampled(&thin) && conform_is_long(&thin));
    assert_true(conform_largest_tensor(&thin) == LONG_ELEMENTS + 1);
    assert_int_equal(conform_largest_tensor(&none), -1);
    written.tier = TIER_GOLDEN;
    assert_true(!conform_is_sampled(&written) && !conform_is_long(&written));
    assert_true(conform_has_relations(&small));
    for (uint64_t seed = 0; seed < 400; seed++) {
        const conform_case c = matmul(64, 65, 64, seed), huge = matmul(1024, 1024, 64, seed);
        n_related += conform_has_relations(&c);
        assert_false(conform_has_relations(&huge));
    }
    assert_in_range(n_related, 60, 140);
}
