#include "plan_sizes.h"

#include "test.h"

static plan_dice dice_of(uint64_t seed)
{
    return (plan_dice){.stream = conform_stream_of(seed, "dice")};
}

TEST(sizes_are_edges_or_in_the_range)
{
    const spec_dim dim = {.n_edges = 2, .edges = {0, 5000}, .random_low = 3, .random_high = 200};
    plan_dice d = dice_of(1);
    int n_edges = 0, n_multiples = 0, n_small = 0;
    for (int i = 0; i < 1000; i++) {
        const int64_t size = plan_size(&dim, 1, &d);
        const int is_edge = size == 0 || size == 5000;
        assert_true(is_edge || (size >= 3 && size <= 200));
        n_edges += is_edge;
        n_multiples += !is_edge && (size % 8 == 0 || size % 8 == 1 || size % 8 == 7);
        n_small += !is_edge && size < 25;
    }
    assert_in_range(n_edges, 330, 470);
    assert_in_range(n_multiples, 300, 600); /* near vector widths, more often than by chance */
    assert_true(n_small > 150);             /* log-uniform: small ones are not rare */
}

TEST(an_octave_begins_at_a_power_of_two)
{
    assert_int_equal(conform_octave(-5), -1);
    assert_int_equal(conform_octave(0), -1);
    assert_int_equal(conform_octave(1), 0);
    assert_int_equal(conform_octave(2), 1);
    assert_int_equal(conform_octave(3), 1);
    assert_int_equal(conform_octave(4), 2);
    assert_int_equal(conform_octave(1048575), 19);
    assert_int_equal(conform_octave(1048576), 20);
    assert_int_equal(conform_octave(INT64_MAX), 62);
}

TEST(multiples_are_kept)
{
    const spec_dim dim = {.random_low = 0, .random_high = 1000, .multiple = 32};
    plan_dice d = dice_of(2);
    for (int i = 0; i < 300; i++)
        assert_int_equal(plan_size(&dim, 1, &d) % 32, 0);
}

TEST(model_sizes_come_from_their_list)
{
    const spec_dim with = {.model_n = 2, .model = {576, 4096}},
                   without = {.random_low = 5, .random_high = 5};
    plan_dice d = dice_of(3);
    int n_small = 0;
    for (int i = 0; i < 100; i++) {
        const int64_t size = plan_model_size(&with, 1, &d);
        assert_true(size == 576 || size == 4096);
        n_small += size == 576;
        assert_int_equal(plan_model_size(&without, 1, &d), 5);
    }
    assert_in_range(n_small, 25, 75);
}
