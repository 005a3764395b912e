#include "gen.h"

#include <math.h>
#include <string.h>

#include "test.h"

/* The expected values are those that the Python twin prints (fixtures/make/conform_inputs.py). */
TEST(the_hash_is_the_published_one)
{
    assert_true(conform_hash(0, "", 0) == 0xe587d3dff9e92ed0u);
    assert_true(conform_hash(1, "a", 7) == 0xca6f504cbe4a68f4u);
    assert_true(conform_hash(0x1a2b3c, "weight", 123456789) == 0x36ed9ba67b123131u);
    const conform_stream s = conform_stream_of(42, "x");
    uint64_t digest = 0;
    for (uint64_t i = 0; i < 1000000; i++)
        digest = digest * 0x100000001b3u + conform_bits(s, i);
    assert_true(digest == 0x12f77bc4412315e9u);
}

TEST(integers_stay_in_their_range)
{
    const conform_stream s = conform_stream_of(5, "x");
    int seen[7] = {0};
    for (uint64_t i = 0; i < 7000; i++) {
        const int64_t v = conform_integer(s, i, -3, 3);
        assert_in_range(v + 3, 0, 6);
        seen[v + 3]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 850, 1150);
    conform_integer(s, 0, INT64_MIN, INT64_MAX);
}

TEST(normals_have_mean_zero_and_variance_one)
{
    const conform_stream s = conform_stream_of(6, "x");
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        const double v = (double)conform_normal(s, i);
        assert_true(v != 0);
        sum += v;
        squares += v * v;
    }
    assert_true(fabs(sum / 1e5) < 0.02);
    assert_true(fabs(squares / 1e5 - 1) < 0.02);
}

static conform_case with(conform_family family, uint64_t seed)
{
    return (conform_case){.op = IFN_OP_MATMUL, .tier = TIER_T0, .family = family, .seed = seed};
}

/* Every partial sum of a T0 lattice must be exact: k * |a| * |b| <= 2^24. */
TEST(lattices_keep_every_partial_sum_exact)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32,  IFN_DTYPE_F16,  IFN_DTYPE_BF16,
                                       IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q3_K,
                                       IFN_DTYPE_Q4_K, IFN_DTYPE_Q6_K};
    static const conform_family families[] = {FAMILY_LATTICE, FAMILY_ASYMMETRIC};
    for (size_t d = 0; d < N_OF(dtypes); d++) {
        for (size_t f = 0; f < N_OF(families); f++) {
            for (int64_t k = 1; k < 200000; k = k * 3 + 1) {
                conform_case c = with(families[f], (uint64_t)k);
                c.dtype = dtypes[d];
                const conform_lattice l = conform_lattice_of(&c, k);
                assert_true(l.a >= 1 && l.b >= 1 && l.scale >= 1);
                if (l.a > 1)
                    assert_that(k * l.a * l.b <= (int64_t)1 << 24, "%s k=%lld: %lld * %lld",
                                ifn_dtype_name(dtypes[d]), (long long)k, (long long)l.a,
                                (long long)l.b);
            }
        }
    }
}

TEST(lattice_values_are_integers_times_one_power_of_two)
{
    float x[1000];
    const conform_case c = with(FAMILY_LATTICE, 9);
    conform_fill_f32(&c, "a", OPERAND_A, 64, x, 10, 100, 100);
    for (int i = 0; i < 1000; i++) {
        const float scaled = ldexpf(x[i], 4);
        assert_true(x[i] != 0 && scaled == rintf(scaled) && fabsf(x[i]) <= 512.0f * 16.0f);
    }
}

TEST(a_hot_row_holds_a_single_one)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = with(FAMILY_ONE_HOT, seed);
        float a[6 * 40], b[40 * 7];
        conform_fill_f32(&c, "a", OPERAND_A, 40, a, 6, 40, 40);
        conform_fill_f32(&c, "b", OPERAND_B_DOWN, 40, b, 40, 7, 7);
        const int swapped = conform_is_swapped(&c);
        for (int r = 0; r < (swapped ? 7 : 6); r++) {
            int ones = 0, zeros = 0;
            for (int j = 0; j < 40; j++) {
                const float v = swapped ? b[j * 7 + r] : a[r * 40 + j];
                ones += v == 1.0f;
                zeros += v == 0.0f;
            }
            /* the other operand's elements may be anything; a row with one 1 copies an element of it */
            if (zeros) {
                assert_int_equal(ones, 1);
                assert_int_equal(zeros, 39);
            }
        }
    }
}

TEST(a_stride_leaves_its_gaps_alone)
{
    float x[4 * 9];
    memset(x, 0x5a, sizeof x);
    const conform_case c = with(FAMILY_NORMAL, 3);
    conform_fill_f32(&c, "a", OPERAND_A, 7, x, 4, 7, 9);
    for (int r = 0; r < 4; r++) {
        const unsigned char *gap = (const unsigned char *)&x[r * 9 + 7];
        for (int i = 0; i < 8; i++)
            assert_int_equal(gap[i], 0x5a);
    }
}

TEST(the_same_seed_is_the_same_operand)
{
    float x[100], y[100], z[100];
    const conform_case c = with(FAMILY_WIDE, 3), d = with(FAMILY_WIDE, 4);
    conform_fill_f32(&c, "a", OPERAND_A, 10, x, 10, 10, 10);
    conform_fill_f32(&c, "a", OPERAND_A, 10, y, 10, 10, 10);
    conform_fill_f32(&d, "a", OPERAND_A, 10, z, 10, 10, 10);
    assert_memory_equal(x, y, sizeof x);
    assert_memory_not_equal(x, z, sizeof x);
    conform_fill_f32(&c, "b", OPERAND_A, 10, z, 10, 10, 10);
    assert_memory_not_equal(x, z, sizeof x);
}

TEST(huge_products_stay_in_range)
{
    static float a[5000], b[5000];
    const conform_case c = with(FAMILY_HUGE_VALUES, 8);
    conform_fill_f32(&c, "a", OPERAND_A, 5000, a, 1, 5000, 5000);
    conform_fill_f32(&c, "b", OPERAND_B, 5000, b, 1, 5000, 5000);
    double sum = 0;
    for (int i = 0; i < 5000; i++)
        sum += fabs((double)a[i] * (double)b[i]);
    assert_true(sum < 0x1p127 && sum > 0x1p90);
}

TEST(a_probe_touches_one_block)
{
    float x[256];
    const conform_case c = with(FAMILY_SCALE_PROBE, 11);
    conform_fill_f32(&c, "x", OPERAND_A, 256, x, 1, 256, 256);
    int blocks = 0;
    for (int b = 0; b < 8; b++) {
        int nonzero = 0;
        for (int i = 0; i < 32; i++)
            nonzero += x[b * 32 + i] > 0;
        assert_true(nonzero == 0 || nonzero == 32);
        blocks += nonzero == 32;
    }
    assert_int_equal(blocks, 1);
}

TEST(rope_rows_are_cosines_then_sines)
{
    float row[8];
    conform_fill_rope(row, 8, 3, 10000);
    assert_true(row[0] == (float)cos(3.0) && row[4] == (float)sin(3.0));
    assert_true(row[2] == (float)cos(3.0 * pow(10000.0, -0.5)));
}
