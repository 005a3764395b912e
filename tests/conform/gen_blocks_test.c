#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "gen.h"
#include "test.h"

static const ifn_dtype weights[] = {IFN_DTYPE_F16,  IFN_DTYPE_BF16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0,
                                    IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1, IFN_DTYPE_Q2_K,
                                    IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K};

enum { N_FLOATS = 2 }; /* the first two of the dtypes */

static conform_case case_of(ifn_dtype dtype, conform_tier tier, conform_family family,
                            uint64_t seed)
{
    return (conform_case){
        .op = IFN_OP_LINEAR_Q8, .dtype = dtype, .tier = tier, .family = family, .seed = seed};
}

/* Returns rows x k of weights, which the caller frees. */
static unsigned char *fill(const conform_case *c, conform_operand operand, ifn_dtype dtype,
                           int64_t rows, int64_t k)
{
    unsigned char *out = malloc((size_t)rows * ifn_dtype_row_bytes(dtype, k));
    conform_fill_blocks(c, "w", operand, dtype, k, out, rows, k);
    return out;
}

TEST(equal_seeds_give_equal_bytes)
{
    for (size_t d = 0; d < N_OF(weights); d++) {
        const conform_case a = case_of(weights[d], TIER_T1, FAMILY_NORMAL, 1);
        const conform_case b = case_of(weights[d], TIER_T1, FAMILY_NORMAL, 2);
        const size_t bytes = 2 * ifn_dtype_row_bytes(weights[d], 512);
        unsigned char *one = fill(&a, OPERAND_B, weights[d], 2, 512);
        unsigned char *same = fill(&a, OPERAND_B, weights[d], 2, 512);
        unsigned char *other = fill(&b, OPERAND_B, weights[d], 2, 512);
        assert_memory_equal(one, same, bytes);
        assert_memory_not_equal(one, other, bytes);
        free(one);
        free(same);
        free(other);
    }
}

/* Sums of k products stay below 2^24 units, even when every term is expanded, and no weight is 0. */
TEST(lattices_stay_within_their_budget)
{
    for (size_t d = 0; d < N_OF(weights); d++) {
        for (int64_t k = 256; k <= 8192; k *= 4) {
            const conform_case c = case_of(weights[d], TIER_T0, FAMILY_LATTICE, (uint64_t)k + d);
            const conform_lattice l = conform_lattice_of(&c, k);
            unsigned char *w = fill(&c, OPERAND_B, weights[d], 1, k);
            const double unit =
                ldexp(1.0, (int)conform_integer(conform_stream_of(c.seed, "exponent"), 1, -4, 4));
            for (int64_t i = 0; i < k; i++) {
                const conform_code code = conform_code_at(weights[d], w, i);
                const double magnitude =
                    (fabs(code.d * code.sc * code.c) + fabs(code.dmin * code.m)) / unit;
                assert_true(magnitude <= (double)l.b && magnitude == floor(magnitude));
                assert_true(code.c * code.sc != 0);
            }
            assert_true(k * l.a * l.b <= 1 << 24);
            free(w);
        }
    }
}

TEST(activations_of_a_lattice_stay_within_it_too)
{
    for (int64_t k = 256; k <= 8192; k *= 4) {
        const conform_case c = case_of(IFN_DTYPE_Q4_K, TIER_T0, FAMILY_LATTICE, (uint64_t)k);
        const conform_lattice l = conform_lattice_of(&c, k);
        ifn_block_q8_32f *x = (void *)fill(&c, OPERAND_A, IFN_DTYPE_Q8_32F, 1, k);
        for (int64_t i = 0; i < k; i++)
            assert_true(x[i / 32].qs[i % 32] != 0 && abs(x[i / 32].qs[i % 32]) <= l.a);
        free(x);
    }
}

/* In a case either the weights or the activations hold a single 1 per row. */
TEST(one_operand_of_a_one_hot_case_is_hot)
{
    for (size_t d = 2; d < N_OF(weights); d++) {
        for (uint64_t seed = 0; seed < 8; seed++) {
            const conform_case c = case_of(weights[d], TIER_T0, FAMILY_ONE_HOT, seed);
            const int is_b = conform_is_swapped(&c);
            const ifn_dtype dtype = is_b ? weights[d] : IFN_DTYPE_Q8_32F;
            const conform_operand operand = is_b ? OPERAND_B : OPERAND_A;
            unsigned char *rows = fill(&c, operand, dtype, 3, 512);
            for (int64_t r = 0; r < 3; r++) {
                double sum = 0, squares = 0;
                for (int64_t i = 0; i < 512; i++) {
                    const double v =
                        conform_value_at(dtype, rows + r * ifn_dtype_row_bytes(dtype, 512), i);
                    sum += v;
                    squares += v * v;
                }
                assert_true(sum == 1 && squares == 1);
            }
            free(rows);
        }
    }
}

/* Activations in blocks and in floats have the same probed block, and all rows have the same one. */
TEST(the_probe_is_one_block_of_activations)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = case_of(IFN_DTYPE_Q6_K, TIER_T1, FAMILY_SCALE_PROBE, seed);
        float x[2 * 512];
        ifn_block_q8_32f *q = (void *)fill(&c, OPERAND_A, IFN_DTYPE_Q8_32F, 2, 512);
        conform_fill_f32(&c, "x", OPERAND_A, 512, x, 2, 512, 512);
        int n_probed = 0;
        for (int i = 0; i < 2 * 512; i++) {
            assert_int_equal(x[i] != 0, q[i / 32].d != 0);
            assert_true(q[i / 32].qs[i % 32] >= 0);
            n_probed += q[i / 32].d != 0;
        }
        assert_int_equal(n_probed, 2 * 32);
        free(q);
    }
}

TEST(activation_blocks_are_those_of_a_quantizer_but_for_the_largest_code)
{
    for (conform_family family = FAMILY_LATTICE; family <= FAMILY_SPECIALS; family++) {
        const conform_case c = case_of(IFN_DTYPE_Q4_0, TIER_T1, family, 5);
        ifn_block_q8_32f *q = (void *)fill(&c, OPERAND_A, IFN_DTYPE_Q8_32F, 8, 512);
        for (int b = 0; b < 8 * 16; b++) {
            int sum = 0;
            for (int i = 0; i < 32; i++) {
                assert_true(q[b].qs[i] >= -127);
                sum += q[b].qs[i];
            }
            assert_int_equal(q[b].s, sum);
            assert_true(!isnan(q[b].d) || sum == 0);
        }
        free(q);
    }
}

/* The statistical bound relies on random signs: each block has as many positive codes as negative ones, but for
 * chance. */
TEST(activations_of_t2_have_random_signs)
{
    const conform_case c = case_of(IFN_DTYPE_Q8_0, TIER_T2, FAMILY_NORMAL, 11);
    ifn_block_q8_32f *q = (void *)fill(&c, OPERAND_A, IFN_DTYPE_Q8_32F, 64, 1024);
    int64_t balance = 0;
    for (int b = 0; b < 64 * 32; b++) {
        int of_block = 0;
        for (int i = 0; i < 32; i++)
            of_block += q[b].qs[i] > 0 ? 1 : -(q[b].qs[i] < 0);
        assert_true(abs(of_block) < 32);
        balance += of_block;
    }
    assert_true(llabs(balance) < 5 * 256); /* five standard deviations of 65536 signs */
    free(q);
}

TEST(codes_reach_both_ends_in_whole_blocks)
{
    for (size_t d = 2; d < N_OF(weights); d++) {
        const ifn_dtype dtype = weights[d];
        const conform_limits l = conform_limits_of(dtype);
        const conform_case c = case_of(dtype, TIER_T1, FAMILY_NORMAL, 3);
        const int64_t n = ifn_dtype_block_elements(dtype), blocks = 200;
        unsigned char *w = fill(&c, OPERAND_B, dtype, 1, blocks * n);
        int all_low = 0, all_high = 0, low = l.c_high, high = l.c_low;
        for (int64_t b = 0; b < blocks; b++) {
            int64_t n_low = 0, n_high = 0;
            for (int64_t i = b * n; i < (b + 1) * n; i++) {
                const int code = conform_code_at(dtype, w, i).c;
                n_low += code == l.c_low;
                n_high += code == l.c_high;
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
            all_low += n_low == n;
            all_high += n_high == n;
        }
        assert_true(all_low > 0 && all_high > 0 && low == l.c_low && high == l.c_high);
        free(w);
    }
}

TEST(only_specials_are_not_finite)
{
    for (size_t d = 0; d < N_OF(weights); d++) {
        for (conform_family family = FAMILY_LATTICE; family <= FAMILY_SPECIALS; family++) {
            const int is_odd =
                family == FAMILY_SPECIALS || (family == FAMILY_PATTERNS && d < N_FLOATS);
            int n_odd = 0;
            for (uint64_t seed = 7; seed < 11; seed++) {
                const conform_case c = case_of(weights[d], TIER_T1, family, seed);
                unsigned char *w = fill(&c, OPERAND_B, weights[d], 16, 512);
                for (int64_t i = 0; i < 16 * 512; i++)
                    n_odd += !isfinite(conform_value_at(weights[d], w, i));
                free(w);
            }
            assert_int_equal(n_odd > 0, is_odd);
        }
    }
}

/* NaN occurs in a scale, in a minimum, over codes that are all zero, and in a single block of a row. */
TEST(spoiled_blocks_are_of_every_kind)
{
    int minimum = 0, scale = 0, hidden = 0, lone = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        const conform_case c = case_of(IFN_DTYPE_Q4_1, TIER_SPECIAL, FAMILY_SPECIALS, seed);
        ifn_block_q4_1 *w = (ifn_block_q4_1 *)(void *)fill(&c, OPERAND_B, IFN_DTYPE_Q4_1, 16, 512);
        int spoiled = 0;
        for (int b = 0; b < 16 * 16; b++) {
            const int is_d = (w[b].d & 0x7fff) > 0x7c00, is_m = (w[b].m & 0x7fff) > 0x7c00;
            int codes = 0;
            for (int i = 0; i < 16; i++)
                codes |= w[b].qs[i];
            scale += is_d;
            minimum += is_m;
            spoiled += is_d || is_m;
            hidden += is_d && !codes;
        }
        lone += spoiled == 16;
        free(w);
    }
    assert_true(scale > 10 && minimum > 10 && hidden > 5 && lone > 8);
}

/* Rounding the scales to bf16 would change most of them. */
TEST(scales_have_full_significands)
{
    for (size_t d = 2; d < N_OF(weights); d++) {
        const conform_case c = case_of(weights[d], TIER_T1, FAMILY_SCALE_PROBE, 13);
        const int64_t n = ifn_dtype_block_elements(weights[d]);
        unsigned char *w = fill(&c, OPERAND_B, weights[d], 1, 100 * n);
        int n_full = 0;
        for (int64_t b = 0; b < 100; b++) {
            const double scale = conform_code_at(weights[d], w, b * n).d;
            n_full += conform_bf16_value(conform_bf16_nearest(scale)) != scale;
        }
        assert_true(n_full > 70);
        free(w);
    }
}
