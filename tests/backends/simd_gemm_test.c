/*
 * matmul and linear of every level, against the one order that they promise: an element is a chain of
 * additions over ascending k, fused if the level has FMA. Shapes are around the sizes of vectors, panels,
 * tiles and steps. The scratch is as large as was asked for, smaller or missing: the bits are the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/quant.h>

#include "cpu_streams.h"
#include "random.h"
#include "test.h"

static const struct {
    const char *expression;
    uint64_t features;
} levels[] = {
#define X(NAME, name) {"simd=" name, IFN_CPU_LEVEL_##NAME},
    IFN_CPU_LEVELS(X)
#undef X
};

/* Floats with full significands, both signs and many magnitudes, so that another order of summation changes bits. */
static float *random_floats(int64_t n)
{
    float *const x = malloc((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = ldexpf((float)(1 + below(1 << 24)) * (below(2) ? 1.0f : -1.0f), (int)below(8) - 24);
    return x;
}

static int64_t pick(const int64_t *of, size_t n)
{
    return of[below((int64_t)n)];
}

static int64_t a_row_count(void)
{
    static const int64_t edges[] = {1,  2,  3,  4,  5,  6,  7,  8,  12, 13,
                                    14, 15, 16, 17, 18, 19, 28, 29, 30, 43};
    return pick(edges, N_OF(edges));
}

static int64_t a_column_count(void)
{
    static const int64_t edges[] = {1,  3,  4,  5,  7,  8,  9,   15,  16,  17, 31,
                                    32, 33, 47, 63, 64, 65, 127, 128, 129, 150};
    return pick(edges, N_OF(edges));
}

static int64_t a_depth(void)
{
    static const int64_t edges[] = {0, 1, 2, 15, 16, 17, 40, 255, 256, 257, 300, 513};
    return pick(edges, N_OF(edges));
}

static float chain_step(float a, float b, float sum, int is_fused)
{
    if (is_fused)
        return fmaf(a, b, sum);
    const float product = a * b;
    return product + sum;
}

/* A sum of k products of x and weights of bf16 in tile registers, in the order of gemm_slices.h. */
static float sliced_sum(const float *x, const float *w, int64_t k)
{
    float sum = 0.0f;
    for (int64_t from = 0; from < k; from += 32)
        for (int slice = 2; slice >= 0; slice--) {
            float pair[2] = {0.0f, 0.0f};
            for (int64_t i = from; i < k && i < from + 32; i++) {
                float rest = x[i], part = 0.0f;
                for (int s = 0; s <= slice; s++) {
                    uint32_t bits;
                    memcpy(&bits, &rest, sizeof bits);
                    bits &= 0xffff0000;
                    memcpy(&part, &bits, sizeof part);
                    rest -= part;
                }
                pair[i % 2] = fmaf(part, w[i], pair[i % 2]);
            }
            sum += pair[0] + pair[1];
        }
    return sum;
}

static int is_sliced(size_t level, ifn_dtype dtype, int64_t k)
{
    return (levels[level].features & IFN_CPU_AMXBF16) && dtype == IFN_DTYPE_BF16 && k >= 64;
}

static int is_fused(size_t level)
{
    return (levels[level].features & (IFN_CPU_FMA | IFN_CPU_NEON)) != 0;
}

/* NULL if this processor lacks the level. */
static ifn_backend *open_level(size_t i)
{
    ifn_backend *backend;
    return ifn_backend_open(levels[i].expression, NULL, &backend, NULL) == IFN_OK ? backend : NULL;
}

/* Scratch in four sizes: as asked for, much more, hardly any, none. */
enum { N_SCRATCHES = 4 };

static ifn_call a_call(ifn_backend *backend, int64_t rows, int64_t k, int64_t n,
                       int64_t scratch_size, size_t args_bytes)
{
    const ifn_limits limits = {
        .limits_bytes = sizeof limits, .rows = rows > k ? rows : k, .k = k > n ? k : n, .n = n};
    const size_t asked = ifn_backend_scratch_bytes(backend, &limits);
    const size_t sizes[N_SCRATCHES] = {asked, 4 * asked, asked / 5, 0};
    const size_t bytes = sizes[scratch_size] / 64 * 64;
    void *const scratch = bytes ? aligned_alloc(64, bytes) : NULL;
    if (scratch)
        memset(scratch, 0xff, bytes);
    return (ifn_call){
        .bytes = (uint32_t)args_bytes, .n_lanes = 1, .scratch = scratch, .scratch_bytes = bytes};
}

static void expect_bits(const float *got, const float *want, int64_t n, const char *expression)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], sizeof *got) != 0)
            fail_msg("%s: element %lld of %lld is %a, expected %a", expression, (long long)i,
                     (long long)n, (double)got[i], (double)want[i]);
}

static void check_matmul(size_t level, ifn_backend *backend, int64_t m, int64_t n, int64_t p,
                         int64_t scratch_size)
{
    float *const a = random_floats(m * n), *const b = random_floats(n * p);
    float *const out = random_floats(m * p), *const want = calloc((size_t)(m * p), sizeof *want);
    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < n; l++)
            for (int64_t j = 0; j < p; j++)
                want[i * p + j] =
                    chain_step(a[i * n + l], b[l * p + j], want[i * p + j], is_fused(level));
    ifn_matmul_args args = IFN_ARGS(matmul, .out = out, .a = a, .b = b, .m = m, .n = n, .p = p);
    args.call = a_call(backend, m, n, p, scratch_size, sizeof args);
    assert_int_equal(ifn_matmul(backend, &args), IFN_OK);
    expect_bits(out, want, m * p, levels[level].expression);
    memset(out, 0xff, (size_t)(m * p) * sizeof *out);
    const int64_t row = below(m), col = below(p); /* four parts that meet there */
    for (int i = 0; i < 4; i++) {
        args.part_begin = i & 1 ? row : 0;
        args.part_end = i & 1 ? m : row;
        args.part2_begin = i & 2 ? col : 0;
        args.part2_end = i & 2 ? p : col;
        if (args.part_end > args.part_begin && args.part2_end > args.part2_begin)
            assert_int_equal(ifn_matmul(backend, &args), IFN_OK);
    }
    expect_bits(out, want, m * p, levels[level].expression);
    free(args.call.scratch);
    free(a);
    free(b);
    free(out);
    free(want);
}

TEST(every_path_of_matmul_is_one_chain_per_element)
{
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (uint64_t seed = 1; backend && seed <= 150; seed++) {
            state_of_random = seed;
            const int64_t m = a_row_count(), n = a_depth(), p = a_column_count();
            check_matmul(i, backend, m, n, p, below(N_SCRATCHES));
        }
        ifn_backend_close(backend);
    }
}

/* Blocks of panels that no L2 holds beside the rest, with edges of every kind; of the last there are
 * so many, up to an L2 of 2 MiB, that copies of the rows of a are kept. */
TEST(large_products_are_one_chain_per_element)
{
    static const int64_t sizes[][3] = {
        {43, 300, 700}, {30, 513, 417}, {29, 130, 1605}, {31, 1030, 260}, {29, 1021, 1605}};
    state_of_random = 1;
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (size_t s = 0; backend && s < N_OF(sizes); s++)
            check_matmul(i, backend, sizes[s][0], sizes[s][1], sizes[s][2], 0);
        ifn_backend_close(backend);
    }
}

/* Few rows and b larger than a cache: the widest tiles, two in turns, and columns that fill none,
 * before the first line of each row and at its end; then more of b than any cache holds. */
TEST(few_rows_of_a_large_product_are_one_chain_per_element)
{
    state_of_random = 1;
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (int64_t m = 1; backend && m <= 18; m++)
            check_matmul(i, backend, m, 290 + below(5), m % 2 ? 464 : 465 + below(9),
                         below(N_SCRATCHES));
        for (int64_t m = 1; backend && m <= 8; m += 7)
            check_matmul(i, backend, m, 5, 850 * 1000 + below(100), 0);
        ifn_backend_close(backend);
    }
}

/* A weight of any storage dtype, what it decodes to, and its packed form where there is one. */
typedef struct weight {
    ifn_tensor tensor;
    unsigned char *bytes;
    float *decoded;
    ifn_packed packed;
} weight;

static weight a_weight(ifn_dtype dtype, int64_t n, int64_t k)
{
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, k);
    float *const values = random_floats(n * k);
    weight w = {.bytes = malloc((size_t)n * row_bytes + 1),
                .decoded = malloc((size_t)(n * k) * sizeof(float) + 1)};
    for (int64_t r = 0; r < n; r++) {
        unsigned char *const row = w.bytes + (size_t)r * row_bytes;
        assert_int_equal(ifn_quantize_row(dtype, values + r * k, row, k), IFN_OK);
        assert_int_equal(ifn_dequantize_row(dtype, row, w.decoded + r * k, k), IFN_OK);
    }
    free(values);
    w.tensor = (ifn_tensor){"w", w.bytes, dtype, 2, {n, k}};
    return w;
}

static void prepare(ifn_backend *backend, weight *w)
{
    ifn_backend *const leaf = ifn_backend_implementer(backend, IFN_OP_LINEAR);
    const ifn_tensor *const tensor = &w->tensor;
    assert_int_equal(leaf->desc->prepare(leaf, &tensor, 1, IFN_USE_LINEAR | IFN_USE_GATHER_ROWS,
                                         &w->packed, NULL),
                     IFN_OK);
}

/* Rows that gather_rows decodes from the packed weight are those of the file. */
static void check_rows(ifn_backend *backend, const char *level, const weight *w)
{
    const int64_t n = w->tensor.shape[0], k = w->tensor.shape[1];
    float *const out = random_floats(k);
    for (int32_t i = 0; i < n; i++) {
        const ifn_gather_rows_args a = IFN_ARGS(gather_rows, .out = out, .table = &w->tensor,
                                                .packed = w->packed.data, .ids = &i, .n = 1);
        assert_int_equal(ifn_gather_rows(backend, &a), IFN_OK);
        expect_bits(out, w->decoded + i * k, k, level);
    }
    free(out);
}

static void free_weight(ifn_backend *backend, weight *w)
{
    ifn_backend *const leaf = ifn_backend_implementer(backend, IFN_OP_LINEAR);
    leaf->desc->release(leaf, &w->packed);
    free(w->bytes);
    free(w->decoded);
}

typedef struct shape {
    int64_t rows, n, k;
} shape;

static shape a_shape(int64_t rows, ifn_dtype dtype)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    const int64_t k = block == 1 ? a_depth() : block * below(768 / block + 1);
    return (shape){rows, a_column_count(), k};
}

/* Two weights in one call; the second has a bias, and one feature more. */
static void check_linear(size_t level, ifn_backend *backend, shape s, ifn_dtype dtype,
                         int is_prepared)
{
    const int64_t rows = s.rows, n = s.n, k = s.k;
    weight w[2] = {a_weight(dtype, n, k), a_weight(dtype, n + 1, k)};
    float *const x = random_floats(rows * (k + 3)), *const bias = random_floats(n + 1);
    ifn_linear_args args =
        IFN_ARGS(linear, .x = x, .rows = rows, .k = k, .x_stride = k + 3, .n_w = 2);
    args.call = a_call(backend, rows, k, 2 * n + 1, below(N_SCRATCHES), sizeof args);
    for (int i = 0; i < 2; i++) {
        if (is_prepared)
            prepare(backend, &w[i]);
        args.w[i] = &w[i].tensor;
        args.packed[i] = w[i].packed.data;
        args.out_stride[i] = n + 1;
        args.out[i] = random_floats(rows * (n + 1));
    }
    args.bias[1] = bias;
    assert_int_equal(ifn_linear(backend, &args), IFN_OK);
    for (int i = 0; i < 2; i++) {
        for (int64_t r = 0; r < rows; r++) {
            for (int64_t f = 0; f < n + i; f++) {
                const float *const a = x + r * (k + 3), *const b = w[i].decoded + f * k;
                float want = 0.0f;
                for (int64_t j = 0; j < k; j++)
                    want = chain_step(a[j], b[j], want, is_fused(level));
                if (is_sliced(level, dtype, k))
                    want = sliced_sum(a, b, k);
                want = args.bias[i] ? want + bias[f] : want;
                expect_bits(args.out[i] + r * (n + 1) + f, &want, 1, levels[level].expression);
            }
        }
        free(args.out[i]);
        free_weight(backend, &w[i]);
    }
    free(args.call.scratch);
    free(x);
    free(bias);
}

TEST(linear_is_one_chain_per_element_raw_or_prepared)
{
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (uint64_t seed = 1; backend && seed <= 8 * IFN_DTYPE_Q8_32F; seed++) {
            state_of_random = seed;
            const ifn_dtype dtype = (ifn_dtype)(seed % IFN_DTYPE_Q8_32F);
            check_linear(i, backend, a_shape(a_row_count(), dtype), dtype, seed / 13 % 2);
        }
        ifn_backend_close(backend);
    }
}

/* Weights of several steps, of which more than one block fills L2, and tiles of two heights. */
TEST(large_products_by_weights_are_one_chain_per_element)
{
    static const shape sizes[] = {{43, 300, 768}, {31, 420, 512}};
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    state_of_random = 1;
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (size_t t = 0; backend && t < N_OF(sizes) * N_OF(dtypes); t++)
            check_linear(i, backend, sizes[t % 2], dtypes[t / 2], 1);
        ifn_backend_close(backend);
    }
}

/* Turned in registers: rows and elements around the edges of squares. */
TEST(one_row_of_a_raw_weight_is_one_chain_per_element)
{
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (uint64_t seed = 1; backend && seed <= 60; seed++) {
            state_of_random = seed;
            check_linear(i, backend, a_shape(1, IFN_DTYPE_F32), IFN_DTYPE_F32, 0);
        }
        ifn_backend_close(backend);
    }
}

static void check_few_rows(size_t level, ifn_backend *backend, int64_t rows)
{
    static const int64_t widths[] = {47, 150}, depths[] = {0, 40};
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F16, IFN_DTYPE_BF16, IFN_DTYPE_F32};
    for (size_t j = 0; j < N_OF(widths) * N_OF(depths); j++)
        for (size_t t = 0; t < N_OF(dtypes); t++)
            check_linear(level, backend, (shape){rows, widths[j % 2], depths[j / 2]}, dtypes[t], 1);
}

/* So few that halves are widened where they are multiplied: every height, by every width of panels,
 * whatever way of reading this processor is best at. */
TEST(few_rows_of_packed_weights_are_one_chain_per_element)
{
    const ifn_cpu_streams own = ifn_cpu_best_streams();
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (ifn_cpu_streams s = IFN_STREAMS_SEVERAL; backend && s < IFN_STREAMS_COUNT; s++) {
            ifn_cpu_assume_streams(s);
            for (int64_t rows = 1; rows <= 8; rows++)
                check_few_rows(i, backend, rows);
        }
        ifn_backend_close(backend);
    }
    ifn_cpu_assume_streams(own);
}

TEST(float_weights_are_packed_and_may_be_cut_between_panels)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_BF16};
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        for (size_t t = 0; backend && t < N_OF(dtypes); t++) {
            weight w = a_weight(dtypes[t], 70, 20);
            prepare(backend, &w);
            assert_non_null(w.packed.data);
            assert_int_equal(w.packed.ops, IFN_USE_LINEAR | IFN_USE_GATHER_ROWS);
            check_rows(backend, levels[i].expression, &w);
            ifn_linear_args args = IFN_ARGS(linear, .n_w = 1, .w = {&w.tensor}, .k = 20);
            assert_int_equal(ifn_backend_granule(backend, IFN_OP_LINEAR, 0, &args.call), 1);
            args.packed[0] = w.packed.data;
            assert_true(ifn_backend_granule(backend, IFN_OP_LINEAR, 0, &args.call) > 1);
            assert_int_equal(ifn_backend_granule(backend, IFN_OP_LINEAR, 1, &args.call), 1);
            free_weight(backend, &w);
        }
        ifn_backend_close(backend);
    }
}

/* The length of a matmul's rows may be in any of three limits; each makes room for the same copies. */
TEST(a_matmul_has_the_same_scratch_whichever_limit_its_rows_are_in)
{
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *const backend = open_level(i);
        if (!backend)
            continue;
        ifn_limits limits = {.limits_bytes = sizeof limits,
                             .rows = 300,
                             .max_pos = 700,
                             .k = 700,
                             .n = 700,
                             .n_heads = 1,
                             .n_kv_heads = 1,
                             .head_dim = 1};
        const size_t asked = ifn_backend_scratch_bytes(backend, &limits);
        int64_t *const fields[] = {&limits.max_pos, &limits.k, &limits.n};
        for (int kept = 0; kept < 3; kept++) {
            for (int f = 0; f < 3; f++)
                *fields[f] = f == kept ? 700 : 1;
            assert_int_equal(ifn_backend_scratch_bytes(backend, &limits), asked);
        }
        ifn_backend_close(backend);
    }
}
