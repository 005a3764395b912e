/* Which other sizes the judge tries beside a case, and for which cases it does. */
#include "other_sizes.h"

#include <string.h>

#include "all_specs.h"
#include "case_id.h"
#include "test.h"

static conform_case transpose_case(uint64_t seed)
{
    return (conform_case){.op = IFN_OP_TRANSPOSE_2D,
                          .dim = {3, 5},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .seed = seed};
}

static int others_of(const conform_case *c)
{
    return conform_other_sizes_of(c, specs[c->op],
                                  conform_other_sizes(&(conform_filter){.profile = PROFILE_CI}));
}

static void the_same_number_is_the_same_case_and_another_one_another(void **state)
{
    (void)state;
    const conform_case c = transpose_case(7);
    conform_case first, again, other;
    assert_true(conform_other_sizes_draw(&c, specs[c.op], 3, &first));
    assert_true(conform_other_sizes_draw(&c, specs[c.op], 3, &again));
    assert_true(conform_other_sizes_draw(&c, specs[c.op], 4, &other));
    assert_memory_equal(&first, &again, sizeof first);
    assert_int_not_equal(first.seed, other.seed);
}

static void all_but_sizes_seed_and_overlap_is_as_it_was(void **state)
{
    (void)state;
    conform_case c = {.op = IFN_OP_LINEAR,
                      .dtype = IFN_DTYPE_Q4_K,
                      .dim = {1, 2, 256, 1, 3, 1},
                      .prepared = 1,
                      .alias = 1,
                      .tier = TIER_T0,
                      .family = FAMILY_LATTICE,
                      .seed = 5};
    int n = 0;
    for (int i = 0; i < 100; i++) {
        conform_case other;
        if (!conform_other_sizes_draw(&c, specs[c.op], i, &other))
            continue;
        n++;
        assert_int_equal(other.alias, 0);
        assert_int_equal(other.dim[2] % 256, 0);
        for (int dim = 3; dim < CONFORM_MAX_DIMS; dim++)
            assert_int_equal(other.dim[dim], c.dim[dim]);
        other.alias = c.alias;
        other.seed = c.seed;
        memcpy(other.dim, c.dim, sizeof c.dim);
        assert_memory_equal(&other, &c, sizeof c);
    }
    assert_in_range(n, 90, 100);
}

static void each_of_them_has_an_id_that_is_read_back(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_case c = {.op = (ifn_op)op, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = 9};
        conform_case other, back;
        char id[CONFORM_ID_BYTES];
        ifn_error err = {0};
        memcpy(c.dim, specs[op]->legal, sizeof c.dim);
        c.dtype = specs[op]->legal_dtype;
        c.out_dtype = specs[op]->legal_out_dtype;
        int n = 0;
        for (int i = 0; i < 50; i++) {
            if (!conform_other_sizes_draw(&c, specs[op], i, &other))
                continue;
            n++;
            conform_case_id(&other, id);
            assert_that(conform_case_parse(id, &back, &err), "%s", err.text);
            assert_memory_equal(&back, &other, sizeof back);
        }
        assert_in_range(n, 25, 50);
    }
}

/* The two sizes meet in every pair of remainders, and long sizes occur on both sides. */
static void remainders_of_two_sizes_meet(void **state)
{
    (void)state;
    enum { REMAINDERS = 8, CASES = 4000 };
    int n[REMAINDERS][REMAINDERS] = {{0}}, n_tall = 0, n_wide = 0;
    for (int i = 0; i < CASES; i++) {
        const conform_case c = transpose_case((uint64_t)i);
        conform_case other;
        if (!conform_other_sizes_draw(&c, specs[c.op], 0, &other))
            continue;
        n[other.dim[0] % REMAINDERS][other.dim[1] % REMAINDERS]++;
        n_tall += other.dim[0] > 1024;
        n_wide += other.dim[1] > 1024;
    }
    for (int i = 0; i < REMAINDERS * REMAINDERS; i++)
        assert_in_range(n[i / REMAINDERS][i % REMAINDERS], 8, 250);
    assert_in_range(n_tall, CASES / 12, CASES / 3);
    assert_in_range(n_wide, CASES / 12, CASES / 3);
}

static void only_beside_cases_whose_results_tell_much(void **state)
{
    (void)state;
    conform_case c = transpose_case(1);
    assert_true(others_of(&c) > 0);
    assert_int_equal(conform_other_sizes_of(&c, specs[c.op], 0), 0);
    assert_int_equal(conform_other_sizes_of(&c, NULL, 4), 0);
    c.family = FAMILY_ZEROS;
    assert_int_equal(others_of(&c), 0);
    c.family = FAMILY_EVERY;
    c.tier = TIER_T0;
    assert_int_equal(others_of(&c), 0);
    c.family = FAMILY_NORMAL;
    c.tier = TIER_REFUSE;
    assert_int_equal(others_of(&c), 0);
    c.tier = TIER_GOLDEN;
    assert_int_equal(others_of(&c), 0);
    c.op = IFN_OP_MATMUL;
    c.tier = TIER_T0;
    c.family = FAMILY_ONE_HOT;
    assert_true(others_of(&c) > 0);
}

static void cases_that_somebody_names_have_none(void **state)
{
    (void)state;
    assert_true(conform_other_sizes(&(conform_filter){.profile = PROFILE_SMOKE}) > 0);
    assert_int_equal(conform_other_sizes(&(conform_filter){.n_cases = 60}), 0);
    assert_int_equal(conform_other_sizes(&(conform_filter){.is_fixed = {0, 1}, .fixed = {0, 3}}),
                     0);
}

static void more_sizes_at_once_take_more_of_them(void **state)
{
    (void)state;
    conform_case c = transpose_case(1);
    const int two = others_of(&c);
    c.op = IFN_OP_ADD;
    assert_true(others_of(&c) < two);
    c.op = IFN_OP_MATMUL;
    assert_true(others_of(&c) > two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_same_number_is_the_same_case_and_another_one_another),
        RUN(all_but_sizes_seed_and_overlap_is_as_it_was),
        RUN(each_of_them_has_an_id_that_is_read_back),
        RUN(remainders_of_two_sizes_meet),
        RUN(only_beside_cases_whose_results_tell_much),
        RUN(cases_that_somebody_names_have_none),
        RUN(more_sizes_at_once_take_more_of_them),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
