#include "plan_cases.h"

#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "plan_cover.h"
#include "test.h"
#include "tested.h"

static conform_plan plan(const conform_filter *filter)
{
    conform_plan p;
    ifn_error err;
    assert_ok(conform_plan_open(&p, matmul_spec(), filter, &err), err);
    return p;
}

TEST(the_same_seed_is_the_same_plan)
{
    const conform_filter one = {.n_cases = 300, .seed = 5}, two = {.n_cases = 300, .seed = 6};
    conform_plan a = plan(&one), b = plan(&one), c = plan(&two);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.cases, b.cases, (size_t)a.n * sizeof *a.cases);
    assert_memory_not_equal(a.cases, c.cases, (size_t)a.n * sizeof *a.cases);
    conform_plan_close(&a);
    conform_plan_close(&b);
    conform_plan_close(&c);
}

TEST(a_profile_has_its_numbers_and_its_budget)
{
    const conform_filter ci = {.profile = PROFILE_CI, .seed = 1};
    conform_plan p = plan(&ci);
    int64_t n_large = 0, n_model = 0;
    assert_true(p.n >= 10000);
    for (int64_t i = 0; i < p.n; i++) {
        const int64_t *d = p.cases[i].dim;
        n_large += d[0] * d[1] * d[2] > PLAN_WORK ||
                   d[0] * d[1] + d[1] * d[2] + d[0] * d[2] > PLAN_ELEMENTS;
        n_model += d[1] == 4096;
    }
    assert_true(n_large * 100 <= p.n);
    assert_true(n_model >= 30);
    conform_plan_close(&p);
}

/* Every residue modulo 64, and sizes 0 and 1, occur in every dimension; the plan covers more than 20000 triples of
 * classes. */
TEST(sizes_cover_what_kernels_distinguish)
{
    const conform_filter filter = {.n_cases = 4000, .seed = 1};
    conform_plan p = plan(&filter);
    for (int dim = 0; dim < 3; dim++) {
        int seen[64] = {0}, zero = 0, one = 0;
        for (int64_t i = 0; i < p.n; i++) {
            seen[p.cases[i].dim[dim] % 64]++;
            zero += p.cases[i].dim[dim] == 0;
            one += p.cases[i].dim[dim] == 1;
        }
        assert_true(zero > 10 && one > 10);
        for (int r = 0; r < 64; r++)
            assert_that(seen[r] > 0, "dimension %d: residue %d is missing", dim, r);
    }
    const conform_filter other = {.n_cases = 4000, .seed = 2};
    conform_plan q = plan(&other);
    assert_true(p.n_triples > 20000 && q.n_triples > 20000);
    conform_plan_close(&p);
    conform_plan_close(&q);
}

TEST(shards_are_disjoint_and_everything)
{
    const conform_filter all = {.n_cases = 500, .seed = 3};
    conform_plan whole = plan(&all);
    uint64_t digest = 0;
    int64_t n = 0;
    for (int64_t i = 0; i < 3; i++) {
        conform_filter part = all;
        part.shard = i;
        part.n_shards = 3;
        conform_plan p = plan(&part);
        assert_true(p.n > 0 && p.n < whole.n / 2);
        for (int64_t j = 0; j < p.n; j++)
            assert_int_equal(conform_case_hash(&p.cases[j]) % 3, i);
        n += p.n;
        digest += p.digest;
        assert_int_equal(p.n_whole, whole.n);
        assert_true(p.whole_digest == whole.digest && p.digest != 0);
        conform_plan_close(&p);
    }
    assert_int_equal(n, whole.n);
    assert_true(digest == whole.digest);
    conform_plan_close(&whole);
}

TEST(a_shape_fixes_its_dimensions_only)
{
    const conform_filter filter = {.n_cases = 100, .is_fixed = {0, 1}, .fixed = {0, 7}};
    conform_plan p = plan(&filter);
    int64_t other = 0;
    for (int64_t i = 0; i < p.n; i++) {
        assert_int_equal(p.cases[i].dim[1], 7);
        other |= p.cases[i].dim[0] ^ p.cases[0].dim[0];
    }
    assert_true(p.n == 100 && other);
    conform_plan_close(&p);
}

TEST(a_dtype_the_op_does_not_have_leaves_nothing)
{
    const conform_filter filter = {.n_cases = 100, .n_dtypes = 1, .dtypes = {IFN_DTYPE_Q4_K}};
    conform_plan p = plan(&filter);
    assert_int_equal(p.n, 0);
    conform_plan_close(&p);
}

static int64_t count(const conform_plan *p, int64_t m)
{
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; i++)
        n += p->cases[i].dim[0] == m && p->cases[i].dim[1] == 1002 && p->cases[i].dim[2] == 1003;
    return n;
}

TEST(what_the_spec_always_wants_is_there_whatever_is_drawn)
{
    spec_op spec = *matmul_spec();
    spec.n_always = 1; /* sizes that random draws never give */
    spec.always[0] = (spec_always){"large", .sizes = {{2, {100, 101}}, {1, {1002}}, {1, {1003}}}};
    const conform_filter wishes[] = {{.n_cases = 20, .seed = 1}, {.n_cases = 20, .seed = 2}};
    for (size_t i = 0; i < N_OF(wishes); i++) {
        conform_plan p;
        ifn_error err;
        assert_ok(conform_plan_open(&p, &spec, &wishes[i], &err), err);
        assert_int_equal(count(&p, 100), 1);
        assert_int_equal(count(&p, 101), 1);
        conform_plan without = plan(&wishes[i]); /* without an `always` entry */
        assert_int_equal(p.n, without.n + 2);
        assert_memory_equal(p.cases, without.cases, (size_t)without.n * sizeof *p.cases);
        conform_plan_close(&without);
        conform_plan_close(&p);
    }
}

TEST(what_takes_long_is_left_to_the_profiles_that_an_entry_names)
{
    spec_op spec = *matmul_spec();
    spec.n_always = 1;
    spec.always[0] =
        (spec_always){"large", .from = PROFILE_CI, .sizes = {{1, {100}}, {1, {1002}}, {1, {1003}}}};
    for (int profile = 0; profile < PROFILE_COUNT; profile++) {
        const conform_filter filter = {
            .profile = (conform_profile)profile, .n_cases = 20, .seed = 1};
        conform_plan p;
        ifn_error err;
        assert_ok(conform_plan_open(&p, &spec, &filter, &err), err);
        assert_int_equal(count(&p, 100), profile >= PROFILE_CI);
        conform_plan_close(&p);
    }
}

TEST(a_spec_cannot_always_want_what_is_no_case)
{
    static const char *const names[] = {"rows", "n", "k", "n_w", "pad", "bias"};
    spec_op spec = {.op = IFN_OP_LINEAR,
                    .n_dims = 6,
                    .n_dtypes = 1,
                    .dtypes = {IFN_DTYPE_F32},
                    .n_regimes = 1,
                    .regimes = {{TIER_T1, FAMILY_NORMAL}}};
    spec.n_always = 1;
    strcpy(spec.always[0].name, "five");
    for (int i = 0; i < spec.n_dims; i++) {
        strcpy(spec.dims[i].name, names[i]);
        spec.dims[i].n_edges = spec.always[0].sizes[i].n = 1;
        spec.always[0].sizes[i].values[0] = 5; /* for weights, one more than a call may have */
    }
    const conform_filter filter = {.n_cases = 20};
    conform_plan p;
    ifn_error err;
    assert_int_equal(conform_plan_open(&p, &spec, &filter, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "spec of linear: always 'five': there is no such case in F32, "
                                  "expected one of at most 8388608 elements");
    for (int i = 0; i < spec.n_dims; i++)
        spec.always[0].sizes[i].values[0] = i < 3 ? 2000 : 1;
    assert_int_equal(conform_plan_open(&p, &spec, &filter, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, "spec of linear: always 'five': too large a case in F32, "
                                  "expected one of at most 8388608 elements");
}

TEST(profiles_are_found_by_name)
{
    conform_profile profile;
    assert_true(conform_profile_from_name("nightly", &profile));
    assert_int_equal(profile, PROFILE_NIGHTLY);
    assert_false(conform_profile_from_name("daily", &profile));
    assert_string_equal(conform_profile_name(PROFILE_CI), "ci");
}
