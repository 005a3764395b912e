/* Which pairs of dtypes occur in calls with several weights. */
#include <stdbool.h>

#include "all_specs.h"
#include "plan_cases.h"
#include "test.h"

typedef struct pairs {
    bool behind_first[2][IFN_DTYPE_COUNT][IFN_DTYPE_COUNT]; /* raw, prepared */
} pairs;

static pairs pairs_of(ifn_op op, conform_profile profile)
{
    const conform_filter filter = {.profile = profile, .seed = 3};
    pairs all = {0};
    conform_plan plan;
    ifn_error err = {0};
    assert_ok(conform_plan_open(&plan, specs[op], &filter, &err), err);
    for (int64_t i = 0; i < plan.n; i++)
        for (int k = 0; k < plan.cases[i].n_more; k++)
            all.behind_first[plan.cases[i].prepared != 0][plan.cases[i].dtype]
                            [plan.cases[i].more[k]] = true;
    conform_plan_close(&plan);
    return all;
}

static void expect_pairs(ifn_op op, conform_profile profile, bool alike)
{
    const spec_op *const spec = specs[op];
    const pairs all = pairs_of(op, profile);
    for (int prepared = 0; prepared < 2; prepared++)
        for (int i = 0; i < spec->n_dtypes; i++)
            for (int k = 0; k < spec->n_dtypes; k++) {
                const ifn_dtype a = spec->dtypes[i], b = spec->dtypes[k];
                if (a != b &&
                    (!alike || ifn_dtype_row_bytes(a, 256) == ifn_dtype_row_bytes(b, 256)))
                    assert_that(all.behind_first[prepared][a][b], "%s: %s behind %s",
                                ifn_op_name(op), ifn_dtype_name(b), ifn_dtype_name(a));
            }
}

static void every_dtype_stands_behind_every_other(void **state)
{
    (void)state;
    expect_pairs(IFN_OP_LINEAR, PROFILE_CI, false);
    expect_pairs(IFN_OP_LINEAR_Q8, PROFILE_CI, false);
}

static void those_of_equal_rows_do_so_in_the_smallest_profile(void **state)
{
    (void)state;
    expect_pairs(IFN_OP_LINEAR, PROFILE_SMOKE, true);
    expect_pairs(IFN_OP_LINEAR_Q8, PROFILE_SMOKE, true);
}

/* Two weights of one dtype precede a third of another: this occurs with nearly all dtypes, as chance may draw the
 * third alike. */
static void a_third_differs_from_two_before_it(void **state)
{
    const conform_filter filter = {.profile = PROFILE_SMOKE, .seed = 3};
    bool is_first[IFN_DTYPE_COUNT] = {false};
    conform_plan plan;
    ifn_error err = {0};
    int n = 0;
    (void)state;
    assert_ok(conform_plan_open(&plan, specs[IFN_OP_LINEAR], &filter, &err), err);
    for (int64_t i = 0; i < plan.n; i++) {
        const conform_case *const c = &plan.cases[i];
        if (c->n_more == 2 && c->more[0] == c->dtype && c->more[1] != c->dtype)
            is_first[c->dtype] = true;
    }
    conform_plan_close(&plan);
    for (int i = 0; i < specs[IFN_OP_LINEAR]->n_dtypes; i++)
        n += is_first[specs[IFN_OP_LINEAR]->dtypes[i]];
    assert_in_range(n, specs[IFN_OP_LINEAR]->n_dtypes - 2, specs[IFN_OP_LINEAR]->n_dtypes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_stands_behind_every_other),
        cmocka_unit_test(a_third_differs_from_two_before_it),
        cmocka_unit_test(those_of_equal_rows_do_so_in_the_smallest_profile),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
