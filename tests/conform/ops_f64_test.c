/* The ops of the truth, on inputs whose results are known in closed form. */
#include "ops_f64.h"

#include <math.h>

#include <inferno/quant.h>

#include "test.h"

static void assert_close(double got, double want)
{
    assert_that(fabs(got - want) <= 1e-15 * fmax(1.0, fabs(want)), "%.17g, expected %.17g", got,
                want);
}

static ifn_tensor tensor_of(const void *data, ifn_dtype dtype, int64_t rows, int64_t cols)
{
    return (ifn_tensor){"t", data, dtype, 2, {rows, cols}};
}

static ifn_tensor vector_of(const float *data, int64_t n)
{
    return (ifn_tensor){"v", data, IFN_DTYPE_F32, 1, {n}};
}

TEST(linear_is_rows_times_features_plus_bias)
{
    const float w[] = {1, 2, 3, -1, 0, 0.5f}, bias[] = {10, 20};
    const double x[] = {1, 1, 1, 2, 0, 4};
    const ifn_tensor weight = tensor_of(w, IFN_DTYPE_F32, 2, 3), b = vector_of(bias, 2);
    double row[3], out[4];
    conform_f64_linear(&weight, &b, x, 2, row, out);
    assert_close(out[0], 16);
    assert_close(out[1], 19.5);
    assert_close(out[2], 24);
    assert_close(out[3], 20);
    conform_f64_linear(&weight, NULL, x, 2, row, out);
    assert_close(out[3], 0);
}

/* 15 * (1 + 2^-10) + 2^-24 has more bits than f32 holds: dequantize_rows rounds it, the truth does not. */
TEST(weights_are_decoded_without_the_rounding_of_f32)
{
    ifn_block_q4_1 block = {.d = 0x3c01, .m = 0x0001};
    const ifn_tensor weight = tensor_of(&block, IFN_DTYPE_Q4_1, 1, 32);
    double x[32] = {1.0}, row[32], out;
    float rounded[32];
    block.qs[0] = 0x0f;
    conform_f64_linear(&weight, NULL, x, 1, row, &out);
    assert_true(out == 15 * (1 + 0x1p-10) + 0x1p-24);
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q4_1, &block, rounded, 32), IFN_OK);
    assert_true((double)rounded[0] != out);
}

TEST(rms_norm_divides_by_the_root_mean_square)
{
    const float w[] = {1, 2};
    const ifn_tensor weight = vector_of(w, 2);
    double x[] = {3, 4, 0, 0};
    conform_f64_rms_norm(&weight, 0.0, x, 1, 2, x);
    assert_close(x[0], 3 / sqrt(12.5));
    assert_close(x[1], 8 / sqrt(12.5));
    conform_f64_rms_norm(&weight, 1e-6, x + 2, 1, 2, x + 2);
    assert_close(x[2], 0);
    double small[] = {1, 1};
    conform_f64_rms_norm(&weight, 3.0, small, 1, 2, small); /* sqrt(1 + 3): eps is under the root */
    assert_close(small[0], 0.5);
}

/* The inputs are unit vectors, so every component is a sine or a cosine of position / 100^(i / 2). */
TEST(rope_turns_each_pair_by_its_own_angle)
{
    const float two[] = {2, 2};
    const ifn_tensor divisors = vector_of(two, 2);
    conform_f64_rotation how = {.theta = 100, .n_heads = 1, .head_dim = 4};
    double half_split[] = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0};
    how.pairing = IFN_ROPE_HALF_SPLIT;
    conform_f64_rope(&how, half_split, 4);
    assert_close(half_split[0], 1);
    assert_close(half_split[12], cos(3));
    assert_close(half_split[14], sin(3));
    assert_close(half_split[13], cos(0.3));
    assert_close(half_split[15], sin(0.3));

    double interleaved[] = {0, 1, 0, 1, 0, 1, 0, 1};
    how.pairing = IFN_ROPE_INTERLEAVED;
    how.divisors = &divisors;
    conform_f64_rope(&how, interleaved, 2);
    assert_close(interleaved[4], -sin(0.5));
    assert_close(interleaved[5], cos(0.5));
    assert_close(interleaved[6], -sin(0.05));
    assert_close(interleaved[7], cos(0.05));
}

/* The keys give scores of 0 and ln 2, so the second has twice the weight of the first. */
TEST(attention_weighs_by_the_exponential_of_scaled_scores)
{
    const conform_f64_heads shape = {1, 1, 4};
    const double q[] = {9, 9, 9, 9, 1, 0, 0, 0};
    const double k[] = {0, 1, 1, 1, 2 * log(2), 5, 5, 5}; /* q k / sqrt(4) */
    const double v[] = {3, 0, 1, -1, 6, 3, 1, 1};
    double scores[2], out[8];
    conform_f64_attention(&shape, q, k, v, 2, scores, out);
    for (int c = 0; c < 4; c++) /* the first row sees only itself */
        assert_close(out[c], v[c]);
    assert_close(out[4], 5);
    assert_close(out[5], 2);
    assert_close(out[6], 1);
    assert_close(out[7], 1.0 / 3);
}

TEST(query_heads_share_kv_heads_in_order)
{
    const conform_f64_heads shape = {6, 2, 1};
    const double q[6] = {1, 2, 3, 4, 5, 6}, k[2] = {1, 1}, v[2] = {10, 20};
    double scores[1], out[6];
    conform_f64_attention(&shape, q, k, v, 1, scores, out);
    for (int h = 0; h < 6; h++)
        assert_close(out[h], h < 3 ? 10 : 20);
}

TEST(large_scores_do_not_overflow)
{
    const conform_f64_heads shape = {1, 1, 1};
    const double q[] = {0, 1e4}, k[] = {1, 2}, v[] = {5, 7};
    double scores[2], out[2];
    conform_f64_attention(&shape, q, k, v, 2, scores, out);
    assert_close(out[1], 7);
}

TEST(swiglu_is_the_logistic_gate)
{
    double gate[] = {0, log(3), -log(3), 800, -800};
    const double up[] = {5, 2, 4, 3, 3};
    conform_f64_swiglu(gate, up, 5, gate);
    assert_close(gate[0], 0);
    assert_close(gate[1], 1.5 * log(3));
    assert_close(gate[2], -log(3));
    assert_close(gate[3], 2400);
    assert_close(gate[4], 0);
}

TEST(narrowing_stores_codes_with_ties_to_even)
{
    double x[32] = {127, 2.5, 3.5, -2.5, 0.4, -0.6}, out[32];
    float f32[32];
    unsigned char blocks[64];
    const conform_f64_scratch scratch = {f32, blocks};
    conform_f64_narrow(IFN_DTYPE_Q8_32F, x, 32, &scratch, out);
    const double want[] = {127, 2, 4, -2, 0, -1};
    for (int i = 0; i < 6; i++)
        assert_true(out[i] == want[i]);
    conform_f64_narrow(IFN_DTYPE_Q8_0, x, 32, &scratch, out); /* ties away from zero */
    assert_true(out[1] == 3 && out[2] == 4 && out[3] == -3);
}

TEST(narrowing_rounds_to_f32_first)
{
    /* Slightly above the middle of two f16: rounded to f32 first, the value becomes a tie, which goes to even. */
    const double x[] = {1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11 + 0x1p-20};
    double out[2];
    float f32[2];
    unsigned char blocks[4];
    const conform_f64_scratch scratch = {f32, blocks};
    conform_f64_narrow(IFN_DTYPE_F16, x, 2, &scratch, out);
    assert_true(out[0] == 1);
    assert_true(out[1] == 1 + 0x1p-10);
}
