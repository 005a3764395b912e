#include "plan_large.h"

#include <string.h>

#include "long_case.h"
#include "sampled.h"
#include "test.h"

static const spec_dim rows = {.name = "rows",
                              .n_edges = 2,
                              .edges = {0, 1},
                              .random_low = 1,
                              .random_high = 64,
                              .limit = 8192},
                      n = {.name = "n",
                           .n_edges = 2,
                           .edges = {0, 1},
                           .random_low = 1,
                           .random_high = 512,
                           .limit = 262144},
                      k = {.name = "k",
                           .n_edges = 2,
                           .edges = {0, 1},
                           .random_low = 1,
                           .random_high = 4096,
                           .limit = 65536},
                      n_w = {.name = "n_w",
                             .n_edges = 2,
                             .edges = {1, 2},
                             .random_low = 1,
                             .random_high = 2,
                             .limit = 2},
                      flag = {.name = "pad",
                              .n_edges = 2,
                              .edges = {0, 1},
                              .random_low = 0,
                              .random_high = 1,
                              .limit = 1};

static const spec_dim *const dims[] = {&rows, &n, &k, &n_w, &flag, &flag};

static plan_shape linear(void)
{
    return (plan_shape){conform_module_of(IFN_OP_LINEAR), dims, 6};
}

static plan_dice dice_of(uint64_t seed)
{
    return (plan_dice){.stream = conform_stream_of(seed, "dice")};
}

TEST(rows_are_whole_blocks_of_every_dtype_of_the_case)
{
    const plan_shape shape = linear();
    conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
    assert_int_equal(plan_multiple(&shape, &c, 2), 1);
    c.dtype = IFN_DTYPE_Q8_0;
    assert_int_equal(plan_multiple(&shape, &c, 2), 32);
    assert_int_equal(plan_multiple(&shape, &c, 1), 1);
    c.n_more = 1;
    c.more[0] = IFN_DTYPE_Q4_K;
    assert_int_equal(plan_multiple(&shape, &c, 2), 256);
}

/* In each octave up to the profile's last one there is a size that fits, and in none beyond. */
TEST(sizes_lie_in_their_octave_and_within_the_budget)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(1);
    for (int dim = 0; dim < 3; dim++) {
        const conform_case q4_k = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
        const int last = plan_last_octave(&shape, PROFILE_CI, &q4_k, dim);
        const int first = dim == 2 ? 8 : 0; /* a block has 256 elements */
        assert_true(last >= 12 && last <= conform_octave(dims[dim]->limit));
        for (int octave = first; octave <= last; octave++) {
            conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
            assert_true(plan_octave_sizes(&shape, PROFILE_CI, &c, dim, octave, &d));
            assert_int_equal(conform_octave(c.dim[dim]), octave);
            assert_true(c.dim[dim] <= dims[dim]->limit);
            assert_int_equal(c.dim[2] % 256, 0);
            assert_in_range(conform_largest_tensor(&c), 1, 1 << 21);
        }
    }
}

TEST(a_larger_profile_reaches_as_far_or_further)
{
    const plan_shape shape = linear();
    for (int dim = 0; dim < 3; dim++) {
        const conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        const int smoke = plan_last_octave(&shape, PROFILE_SMOKE, &c, dim);
        const int ci = plan_last_octave(&shape, PROFILE_CI, &c, dim);
        assert_true(smoke >= 11 && smoke <= ci);
        assert_int_equal(ci, conform_octave(dims[dim]->limit));
    }
    assert_true(plan_per_octave(PROFILE_SMOKE) == 1 && plan_per_octave(PROFILE_CI) == 8);
    assert_true(plan_large_seconds(PROFILE_SMOKE) < plan_large_seconds(PROFILE_CI));
}

TEST(an_octave_without_a_whole_block_has_no_case)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(2);
    conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
    assert_false(plan_octave_sizes(&shape, PROFILE_CI, &c, 2, 7, &d));
}

/* Offsets are products of two dimensions: rows and k, n and k. */
TEST(two_dimensions_are_large_now_and_then)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(3);
    int n_pairs = 0;
    for (int i = 0; i < 200; i++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        assert_true(plan_octave_sizes(&shape, PROFILE_CI, &c, 0, 10, &d));
        n_pairs += c.dim[1] > 512 || c.dim[2] > 512;
    }
    assert_in_range(n_pairs, 3, 150);
}

TEST(heavy_cases_take_much_of_the_work_one_may)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(5);
    for (int longest = 0; longest < 3; longest++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
        assert_true(plan_heavy_sizes(&shape, PROFILE_CI, &c, longest, &d));
        assert_in_range(shape.module->work(&c), 1 << 23, 1 << 25);
        assert_int_equal(c.dim[2] % 256, 0);
        for (int i = 0; i < 3; i++)
            assert_true(c.dim[i] >= 64 && c.dim[i] <= dims[i]->limit);
    }
    conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
    assert_false(plan_heavy_sizes(&shape, PROFILE_CI, &c, 3, &d)); /* a choice, not a size */
    assert_true(plan_heavy(PROFILE_SMOKE) < plan_heavy(PROFILE_CI));
}

/* For ops without products, the number of elements moved makes a case heavy. */
TEST(heavy_cases_of_other_ops_are_large_in_all_dimensions)
{
    static const spec_dim *const two[] = {&rows, &k};
    const plan_shape shape = {conform_module_of(IFN_OP_SOFTMAX_ROWS), two, 2};
    plan_dice d = dice_of(6);
    for (int longest = 0; longest < 2; longest++) {
        conform_case c = {.op = IFN_OP_SOFTMAX_ROWS};
        assert_true(plan_heavy_sizes(&shape, PROFILE_SMOKE, &c, longest, &d));
        assert_in_range(c.dim[0] * c.dim[1], 1 << 16, 1 << 18);
        assert_true(c.dim[longest] >= 256 && c.dim[1 - longest] >= 64);
    }
}

/* Some kernels stage 256 rows at a time, and only if rows are long: both sizes must be large at once. */
TEST(heavy_cases_of_other_ops_are_large_in_two_dimensions_at_once)
{
    static const spec_dim *const two[] = {&rows, &k};
    const plan_shape shape = {conform_module_of(IFN_OP_SOFTMAX_ROWS), two, 2};
    plan_dice d = dice_of(8);
    int n_both = 0;
    for (int i = 0; i < 64; i++) {
        conform_case c = {.op = IFN_OP_SOFTMAX_ROWS};
        assert_true(plan_heavy_sizes(&shape, PROFILE_CI, &c, i % 2, &d));
        n_both += c.dim[0] > 300 && c.dim[1] > 1100;
    }
    assert_in_range(n_both, 8, 48);
    assert_true(plan_boxes(PROFILE_CI) >= 6);
}

/* In every regime sizes are as large as the rows of real models. */
TEST(large_sizes_are_those_of_models)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(7);
    for (int dim = 0; dim < 3; dim++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        assert_true(plan_large_sizes(&shape, PROFILE_SMOKE, &c, dim, &d));
        assert_in_range(c.dim[dim], 4096, 131071);
    }
    conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
    assert_false(plan_large_sizes(&shape, PROFILE_SMOKE, &c, 3, &d)); /* a choice, not a size */
}

TEST(a_case_costs_more_with_more_elements_or_more_work)
{
    const conform_module *m = conform_module_of(IFN_OP_MATMUL);
    const conform_case small = {.op = IFN_OP_MATMUL, .dim = {1, 1, 1}},
                       wide = {.op = IFN_OP_MATMUL, .dim = {1, 1, 100000}},
                       deep = {.op = IFN_OP_MATMUL, .dim = {100, 1000, 1000}};
    assert_true(plan_seconds(m, &small) < plan_seconds(m, &wide));
    assert_true(plan_seconds(m, &wide) < plan_seconds(m, &deep));
}

TEST(large_cases_have_a_regime_of_the_op_without_special_values)
{
    static const spec_op spec = {.op = IFN_OP_MATMUL,
                                 .n_regimes = 3,
                                 .regimes = {{TIER_T0, FAMILY_LATTICE},
                                             {TIER_T1, FAMILY_NORMAL},
                                             {TIER_SPECIAL, FAMILY_SPECIALS}}};
    plan_dice d = dice_of(4);
    int n_exact = 0;
    for (int i = 0; i < 300; i++) {
        conform_case c = {.op = IFN_OP_MATMUL};
        plan_large_regime(&spec, &c, &d);
        assert_true(c.tier == TIER_T0 || c.tier == TIER_T1);
        n_exact += c.tier == TIER_T0;
    }
    assert_in_range(n_exact, 100, 200);
}

/* Edges of tiles meet in corners: every size exceeds the first tile, and remainders differ. */
TEST(tiled_sizes_are_beyond_a_tile_in_every_dimension)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(7);
    unsigned rests[3] = {0, 0, 0};
    for (int i = 0; i < 64; i++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        assert_true(plan_tiled_sizes(&shape, &c, &d));
        for (int dim = 0; dim < 3; dim++) {
            assert_true(c.dim[dim] > 64 && c.dim[dim] <= 256);
            rests[dim] |= 1U << c.dim[dim] % 8;
        }
    }
    for (int dim = 0; dim < 3; dim++)
        assert_int_equal(rests[dim], 0xff);
}

/* Sizes slightly above 1.5 times a power of two occur as well as those slightly above the power itself. */
TEST(octaves_have_their_middle)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(8);
    int n_met = 0;
    for (int i = 0; i < 200; i++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        assert_true(plan_octave_sizes(&shape, PROFILE_CI, &c, 2, 12, &d));
        n_met += c.dim[2] >= 6143 && c.dim[2] <= 6145;
    }
    assert_true(n_met >= 10);
}

/* Some code paths take whole tiles only: every other heavy case has whole tiles. */
TEST(heavy_sizes_are_whole_tiles_now_and_then)
{
    const plan_shape shape = linear();
    plan_dice d = dice_of(9);
    int n_met = 0;
    for (int i = 0; i < 40; i++) {
        conform_case c = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_F32};
        assert_true(plan_heavy_sizes(&shape, PROFILE_CI, &c, 2, &d));
        n_met += c.dim[0] % 64 == 0 && c.dim[1] % 64 == 0 && c.dim[2] % 64 == 0;
    }
    assert_true(n_met >= 5 && n_met < 40);
}
