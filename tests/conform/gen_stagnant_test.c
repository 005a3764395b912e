#include "gen_stagnant.h"

#include <math.h>
#include <string.h>

#include "blocks.h"
#include "fuzz.h"
#include "gen.h"

enum { K = 1024, SEEDS = 16, WIDTH = 16 };

/* Returns a sum in f32: groups of `width` terms are added up first, then their sums. */
static double sum_of(const float *terms, int64_t n, int64_t width)
{
    float sum = 0.0f;
    for (int64_t first = 0; first < n; first += width) {
        float some = 0.0f;
        for (int64_t i = first; i < n && i < first + width; i++)
            some += terms[i];
        sum += some;
    }
    return (double)sum;
}

static void begin(fuzz *f, ifn_op op, ifn_dtype dtype, uint64_t seed, const int64_t dims[6])
{
    fuzz_open(f, op);
    f->c = (conform_case){
        .op = op, .dtype = dtype, .tier = TIER_T1, .family = FAMILY_STAGNANT, .seed = seed};
    memcpy(f->c.dim, dims, 6 * sizeof *dims);
    assert_true(fuzz_begin(f));
}

static void end(fuzz *f)
{
    fuzz_end(f);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

static bool is_within(fuzz *f, const char *name, int64_t depth, double got)
{
    const conform_declared declared = {.depth = depth};
    const int out = conform_tensor_index(&f->l, name);
    f->module->truth(&f->c, &f->l, f->data, &declared, &f->pool, f->truth);
    return fabs(got - f->truth[out].want[0]) <= f->truth[out].bound[0];
}

/* Expects the results of sums of n terms, added one or sixteen at a time, to be within the bounds of their own depths,
 * and one of the two to violate the bound of 1/part of that depth. */
static void expect_depth_shown(fuzz *f, const char *out, double single, double many, int64_t n,
                               int64_t part)
{
    const int64_t depth = WIDTH + n / WIDTH;
    assert_true(is_within(f, out, n, single) && is_within(f, out, depth, many));
    assert_that(!is_within(f, out, n / part, single) || !is_within(f, out, depth / part, many),
                "%s, %s, seed %d: 1/%d of the depth would do", ifn_op_name(f->c.op),
                ifn_dtype_name(f->c.dtype), (int)f->c.seed, (int)part);
    end(f);
}

static void expect_shown(fuzz *f, const char *out, const float *terms, int64_t n, int64_t part)
{
    expect_depth_shown(f, out, sum_of(terms, n, 1), sum_of(terms, n, WIDTH), n, part);
}

TEST(products_of_floats_use_up_their_bound)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_BF16};
    float terms[K];
    for (uint64_t i = 0; i < 3 * SEEDS; i++) {
        fuzz f;
        begin(&f, IFN_OP_LINEAR, dtypes[i % 3], i, (int64_t[]){1, 1, K, 1, 0, 1});
        const void *const w = f.data[conform_tensor_index(&f.l, "w_0")];
        for (int64_t j = 0; j < K; j++)
            terms[j] =
                (float)((double)fuzz_floats(&f, "x")[j] * conform_value_at(dtypes[i % 3], w, j));
        assert_true(*fuzz_floats(&f, "bias_0") == 0);
        expect_shown(&f, "out_0", terms, K, 2);
    }
}

TEST(exponentials_do)
{
    float terms[K];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz f;
        begin(&f, IFN_OP_SOFTMAX_ROWS, IFN_DTYPE_F32, seed, (int64_t[]){3, K, 0, 0, 0, 0});
        const float *const x = fuzz_floats(&f, "x");
        assert_true(x[0] > x[1]);
        for (int64_t j = 0; j < K; j++)
            terms[j] = (float)exp((double)(x[j] - x[0]));
        expect_depth_shown(&f, "out", 1 / sum_of(terms, K, 1), 1 / sum_of(terms, K, WIDTH), K, 4);
    }
}

TEST(products_down_columns_do)
{
    float terms[K];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz f;
        begin(&f, IFN_OP_MATMUL, IFN_DTYPE_F32, seed, (int64_t[]){3, K, 4, 0, 0, 0});
        for (int64_t j = 0; j < K; j++)
            terms[j] = fuzz_floats(&f, "a")[j] * fuzz_floats(&f, "b")[4 * j];
        expect_shown(&f, "out", terms, K, 2);
    }
}

TEST(products_with_blocks_do)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q6_K,
                                       IFN_DTYPE_Q4_K};
    float terms[K];
    for (uint64_t i = 0; i < 4 * SEEDS; i++) {
        fuzz f;
        begin(&f, IFN_OP_LINEAR, dtypes[i % 4], i, (int64_t[]){1, 1, K, 1, 0, 0});
        const void *const w = f.data[conform_tensor_index(&f.l, "w_0")];
        for (int64_t j = 0; j < K; j++) {
            assert_true(conform_value_at(dtypes[i % 4], w, j) ==
                        conform_value_at(dtypes[i % 4], w, 0));
            assert_true(fuzz_floats(&f, "x")[j] != 0);
        }
        for (int64_t j = 0; j < K; j++)
            terms[j] =
                (float)((double)fuzz_floats(&f, "x")[j] * conform_value_at(dtypes[i % 4], w, j));
        /* for formats with a minimum the bound is that of a larger sum */
        const bool is_sharp = conform_limits_of(dtypes[i % 4]).has_min == 0;
        if (is_sharp)
            expect_shown(&f, "out_0", terms, K, 4);
        else
            end(&f);
    }
}

TEST(squares_along_rows_and_down_columns_do)
{
    float terms[K];
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int64_t axis = 0; axis < 2; axis++) {
            fuzz f;
            begin(&f, IFN_OP_SUM_SQUARES_AXIS, IFN_DTYPE_F32, seed,
                  (int64_t[]){axis ? 3 : K, axis ? K : 3, axis, 0, 0, 0});
            for (int64_t j = 0; j < K; j++) {
                const float x = fuzz_floats(&f, "x")[axis ? j : 3 * j];
                terms[j] = x * x;
            }
            expect_shown(&f, "out", terms, K, 2);
        }
}

/* Blocks are summed one by one: all have the same codes, and beside one large scale all others are lost. */
TEST(blocks_of_activations_do)
{
    enum { N = 8192 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz f;
        float terms[N / 32];
        begin(&f, IFN_OP_LINEAR_Q8, IFN_DTYPE_Q8_0, seed, (int64_t[]){1, 1, N, 1, 0, 0});
        const ifn_block_q8_32f *const x = f.data[conform_tensor_index(&f.l, "x")];
        const void *const w = f.data[conform_tensor_index(&f.l, "w_0")];
        for (int64_t b = 0; b < N / 32; b++) {
            assert_memory_equal(x[b].qs, x[0].qs, sizeof x[0].qs);
            terms[b] =
                (float)((double)x[b].d * (double)x[b].s * conform_value_at(IFN_DTYPE_Q8_0, w, 0));
        }
        const double got = sum_of(terms, N / 32, 1);
        assert_true(is_within(&f, "out_0", N / 32 + 8, got));
        assert_false(is_within(&f, "out_0", N / 32 / 8, got));
        end(&f);
    }
}

/* Terms of scales and of minima alternate: half of their depth is not enough as a declared depth. */
TEST(both_terms_of_blocks_with_a_minimum_do)
{
    enum { N = 4096, BLOCKS = N / 32 };
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_1};
    float terms[2 * BLOCKS];
    for (uint64_t i = 0; i < 2 * SEEDS; i++) {
        fuzz f;
        begin(&f, IFN_OP_LINEAR_Q8, dtypes[i % 2], i, (int64_t[]){1, 1, N, 1, 0, 0});
        const ifn_block_q8_32f *const x = f.data[conform_tensor_index(&f.l, "x")];
        /* codes of 8 with a scale of 1/8, and a minimum of 1 */
        for (int64_t b = 0; b < BLOCKS; b++)
            terms[2 * b] = terms[2 * b + 1] = x[b].d * (float)x[b].s;
        const double got = sum_of(terms, (int64_t)2 * BLOCKS, 1);
        assert_true(is_within(&f, "out_0", 2 * BLOCKS + 8, got));
        assert_false(is_within(&f, "out_0", BLOCKS + 8, got));
        end(&f);
    }
}

/* The result of two keys of which the first alone has small terms, which the given sum of its products may lose. */
static double attend(const fuzz *f, double dot)
{
    const ifn_attention_args *const a = &f->call.args.attention;
    const double large = (double)a->q[0] * conform_value_at(f->c.dtype, a->k_cache, a->head_dim);
    const double weight = exp((double)a->scale * (dot - large));
    const double first = conform_value_at(f->c.dtype, a->v_cache, 0);
    const double second = conform_value_at(f->c.dtype, a->v_cache, a->head_dim);
    assert_true(first > 0 && second < 0);
    return (weight * first + second) / (weight + 1);
}

TEST(products_of_queries_and_keys_do)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    enum { HEAD = 512 };
    int n_first = 0;
    for (uint64_t i = 0; i < 3 * SEEDS; i++) {
        fuzz f;
        float terms[HEAD];
        begin(&f, IFN_OP_ATTENTION, dtypes[i % 3], i, (int64_t[]){1, 1, 0, 1, 1, HEAD});
        const float *const q = fuzz_floats(&f, "q");
        for (int64_t j = 0; j < HEAD; j++)
            terms[j] = (float)((double)q[j] *
                               conform_value_at(dtypes[i % 3], f.call.args.attention.k_cache, j));
        if (q[0] > q[1]) /* elsewhere the large term comes after others, which it does not lose */
            expect_depth_shown(&f, "out", attend(&f, sum_of(terms, HEAD, 1)),
                               attend(&f, sum_of(terms, HEAD, WIDTH)), HEAD, 4);
        else
            end(&f);
        n_first += terms[0] > terms[1];
    }
    assert_true(n_first >= SEEDS);
}

/* The large term comes first, last or anywhere; if it is first in one line, it is not first in the next. */
TEST(each_line_has_its_place)
{
    const conform_stream s = conform_stream_of(5, "x");
    for (int64_t line = 0; line < 40; line += 4) {
        assert_int_equal(conform_stagnant_large(s, line, K), 0);
        assert_int_equal(conform_stagnant_large(s, line + 1, K), K - 1);
        assert_int_equal(conform_stagnant_large(s, line + 2, K), 0);
        assert_in_range(conform_stagnant_large(s, line + 3, K), 0, K - 1);
    }
    assert_int_equal(conform_stagnant_large(s, 0, 1), 0);
}
