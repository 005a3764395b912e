#include "gen_graded.h"

#include <math.h>

#include "blocks.h"
#include "gen.h"
#include "test.h"

enum { K = 1024, ROWS = 8, COLS = 12, SEEDS = 120 };

static float a[ROWS * K], b[COLS * K];

static conform_case with(ifn_dtype dtype, uint64_t seed)
{
    return (conform_case){.dtype = dtype, .tier = TIER_T1, .family = FAMILY_GRADED, .seed = seed};
}

/* Fills the activations, and weights of any dtype, which it decodes. */
static void fill(const conform_case *c, int64_t k)
{
    static unsigned char stored[COLS * K * sizeof(float)];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, k);
    conform_fill_f32(c, "a", OPERAND_A, k, a, ROWS, k, k);
    conform_fill_blocks(c, "b", OPERAND_B, c->dtype, k, stored, COLS, k);
    for (int64_t i = 0; i < COLS * k; i++)
        b[i] = (float)conform_value_at(c->dtype, stored + (size_t)(i / k) * row_bytes, i % k);
}

static double size_of(const float *x, const float *y, int64_t first, int64_t n)
{
    double sum = 0;
    for (int64_t i = first; i < first + n; i++)
        sum += fabs((double)x[i] * (y ? (double)y[i] : 1.0));
    return sum / (double)n;
}

/* Of the blocks of a row, or of an output: the largest, its index, the second largest, and the smallest. */
typedef struct extent {
    double most, next, least;
    int64_t at;
} extent;

static extent extent_of(const conform_case *c, const float *x, const float *y, int64_t k)
{
    const int64_t length = conform_graded_block(c, k);
    extent e = {0, 0, INFINITY, 0};
    for (int64_t first = 0; first < k; first += length) {
        const double its = size_of(x, y, first, first + length < k ? length : k - first);
        e.least = fmin(e.least, its);
        e.next = fmax(e.next, fmin(its, e.most));
        e.at = its > e.most ? first / length : e.at;
        e.most = fmax(e.most, its);
    }
    return e;
}

/* Expects enough outputs with even blocks, enough with one block that exceeds all others by the factor `favoured`,
 * and enough rows of inputs whose blocks are apart by the factor `apart`. */
static void expect_grades(ifn_dtype dtype, double apart, double favoured)
{
    int n_even = 0, n_favoured = 0, n_last = 0, n_apart = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const conform_case c = with(dtype, seed);
        const int64_t n = K / conform_graded_block(&c, K);
        fill(&c, K);
        for (int64_t i = 0; i < ROWS * COLS; i++) {
            const float *const x = a + i / COLS * K, *const y = b + i % COLS * K;
            const extent out = extent_of(&c, x, y, K), in = extent_of(&c, x, NULL, K);
            n_even += out.most < 64 * out.least;
            n_favoured += out.most > favoured * out.next;
            n_last += out.most > favoured * out.next && out.at == n - 1;
            n_apart += in.most > apart * in.least;
        }
    }
    const int all = SEEDS * ROWS * COLS;
    assert_that(
        n_even > all / 8 && n_favoured > all / 3 && n_last > all / 16 && n_apart > all / 2,
        "%s: of %d outputs %d even, %d with a favoured block, %d of these the last; %d rows apart",
        ifn_dtype_name(dtype), all, n_even, n_favoured, n_last, n_apart);
}

TEST(blocks_count_alike_or_one_does_whatever_their_magnitudes)
{
    expect_grades(IFN_DTYPE_F32, 0x1p16, 0x1p16);
    expect_grades(IFN_DTYPE_BF16, 0x1p16, 0x1p16);
    expect_grades(IFN_DTYPE_F16, 0x1p4, 4);
    expect_grades(IFN_DTYPE_Q8_0, 0x1p5, 4);
}

/* In a case with enough lines, every block is favoured by some line. */
TEST(each_block_has_its_lines)
{
    int n_whole = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const conform_case c = with(IFN_DTYPE_F32, seed);
        const int64_t k = 8 * conform_graded_block(&c, K) > K ? K : 8 * conform_graded_block(&c, K);
        const int64_t n = k / conform_graded_block(&c, k);
        unsigned favoured = 0;
        fill(&c, k);
        for (int64_t i = 0; i < COLS; i++) {
            const extent out = extent_of(&c, a, b + i * k, k);
            favoured |= out.most > 0x1p16 * out.next ? 1U << out.at : 0;
        }
        n_whole += favoured == (1U << n) - 1;
    }
    assert_in_range(n_whole, SEEDS / 6, SEEDS);
}

/* A sum down columns has the same grades as one along rows. */
TEST(a_factor_that_is_reduced_down_its_columns_has_them_too)
{
    enum { N = 64, P = 4 };
    static float down[N * P];
    for (uint64_t seed = 0; seed < 8; seed++) {
        const conform_case c = with(IFN_DTYPE_F32, seed);
        conform_fill_f32(&c, "b", OPERAND_B_DOWN, N, down, N, P, P);
        for (int64_t i = 0; i < N * P; i++) {
            const int exponent = conform_graded_exponent(&c, OPERAND_B, i % P, i / P, N);
            const float own = conform_normal(conform_stream_of(seed, "b"), (uint64_t)i);
            assert_true(down[i] == ldexpf(own, exponent));
        }
    }
}

TEST(short_sums_have_two_blocks_and_empty_ones_none)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = with(IFN_DTYPE_F32, seed);
        for (int64_t k = 2; k < 9; k++)
            assert_in_range(conform_graded_block(&c, k), 1, (k + 1) / 2);
        assert_int_equal(conform_graded_block(&c, 1), 1);
        fill(&c, 0);
    }
}

/* Grades apply to whole blocks of the weights. */
TEST(no_block_of_a_dtype_is_cut)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q4_0, IFN_DTYPE_Q6_K};
    for (uint64_t seed = 0; seed < 40; seed++) {
        const conform_case c = with(dtypes[seed % 2], seed);
        for (int64_t k = 256; k <= 4096; k += 256)
            assert_int_equal(conform_graded_block(&c, k) % ifn_dtype_block_elements(c.dtype), 0);
    }
}

/* f16 scales neither vanish nor become infinite. */
TEST(scales_of_weights_stay_in_range)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q4_0, IFN_DTYPE_Q8_0, IFN_DTYPE_Q2_K,
                                       IFN_DTYPE_Q6_K};
    for (uint64_t seed = 0; seed < 40; seed++) {
        const conform_case c = with(dtypes[seed % 4], seed);
        unsigned char row[K * sizeof(float)];
        conform_fill_blocks(&c, "w", OPERAND_B, c.dtype, K, row, 1, K);
        for (int64_t i = 0; i < K; i++) {
            const double d = fabs(conform_code_at(c.dtype, row, i).d);
            assert_true(d > 0 && d < 65504);
        }
    }
}

/* Grades of logits are added: the weights of a row are apart by powers of two. */
TEST(logits_are_apart_by_addition)
{
    float x[ROWS * 64];
    const conform_case c = with(IFN_DTYPE_F32, 3);
    conform_fill_f32(&c, "x", OPERAND_LOGIT, 64, x, ROWS, 64, 64);
    for (int64_t i = 0; i < (int64_t)N_OF(x); i++) {
        const double own = (double)conform_normal(conform_stream_of(3, "x"), (uint64_t)i);
        const int grade = conform_graded_exponent(&c, OPERAND_LOGIT, i / 64, i % 64, 64);
        assert_true(x[i] == (float)(own + log(2.0) * grade));
    }
}

TEST(keys_are_alike_in_blocks_and_differ_between_them)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const conform_case c = with(IFN_DTYPE_F32, seed);
        int low = 99, high = -1, n_changes = 0;
        for (int64_t pos = 0; pos < 600; pos++) {
            const int grade = conform_graded_key(&c, pos, 600, 30);
            n_changes += pos && grade != conform_graded_key(&c, pos - 1, 600, 30);
            low = grade < low ? grade : low;
            high = grade > high ? grade : high;
        }
        assert_true(low >= 0 && high <= 30);
        assert_in_range(n_changes, 0, 600 / 16);
    }
}
