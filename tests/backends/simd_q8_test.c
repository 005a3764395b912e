/*
 * linear_q8 of every level: packed and raw weights, a row alone and among others, any part of the
 * features, any scratch, give the same bits, the same on all levels with FMA, and rows are gathered from packed
 * weights as from the file; and rows too long for the tables of a pass are still exact.
 */
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/quant.h>

#include "cpu_streams.h"
#include "op_weights.h"

static const struct {
    const char *name;
    int has_fma;
} levels[] = {
#define X(NAME, name) {"simd=" name, (IFN_CPU_LEVEL_##NAME & (IFN_CPU_FMA | IFN_CPU_NEON)) != 0},
    IFN_CPU_LEVELS(X)
#undef X
};

/* A product with its packed weight. */
typedef struct product {
    ifn_tensor w;
    ifn_packed packed;
    ifn_block_q8_32f *x;
    int64_t rows, n, k;
    float *bias;
} product;

/* scale: an f16; 0 for any between 2^-9 and 2^-2. */
static uint16_t a_scale(op_case *c, uint16_t scale)
{
    return scale ? scale : (uint16_t)((6 + op_below(c, 7)) << 10 | op_below(c, 1024));
}

static product a_product(op_case *c, ifn_dtype dtype, int64_t rows, int64_t n, int64_t k,
                         int is_lattice)
{
    const size_t block = ifn_dtype_block_bytes(dtype);
    const size_t n_blocks = (size_t)(n * k / ifn_dtype_block_elements(dtype));
    unsigned char *const data = malloc(n_blocks * block + 1);
    for (size_t i = 0; i < n_blocks; i++) {
        for (size_t j = 0; j < block; j++)
            data[i * block + j] = (unsigned char)op_below(c, 256);
        const uint16_t one = is_lattice ? 0x3c00 : 0;
        op_set_scales(dtype, data + i * block, a_scale(c, one), a_scale(c, one));
    }
    product p = {.w = {"w", data, dtype, 2, {n, k}}, .rows = rows, .n = n, .k = k};
    p.x = malloc((size_t)(rows * k / 32) * sizeof *p.x + 1);
    for (int64_t i = 0; i < rows * k / 32; i++) {
        const int64_t most = is_lattice ? 1 : 127;
        p.x[i] = (ifn_block_q8_32f){.d = is_lattice ? 1.0f : 1.0f + (float)op_below(c, 1 << 20)};
        for (int j = 0; j < 32; j++) {
            p.x[i].qs[j] = (int8_t)(op_below(c, 2 * most + 1) - most);
            p.x[i].s += p.x[i].qs[j];
        }
    }
    p.bias = malloc((size_t)n * sizeof *p.bias);
    for (int64_t i = 0; i < n; i++)
        p.bias[i] = (float)op_below(c, 1000);
    return p;
}

static void free_product(product *p)
{
    union {
        const void *from;
        void *to;
    } data = {.from = p->w.data};
    free(data.to);
    free(p->x);
    free(p->bias);
}

/* Scratch as asked for, a quarter of it, or none. */
enum { N_SCRATCHES = 3 };
static int scratch_size;

static size_t scratch_bytes(ifn_backend *backend, const product *p)
{
    const ifn_limits limits = {
        .limits_bytes = sizeof limits, .rows = p->rows, .max_pos = 1, .k = p->k, .n = p->n};
    const size_t asked = ifn_backend_scratch_bytes(backend, &limits);
    return scratch_size == 0 ? asked / 64 * 64 : scratch_size == 1 ? asked / 256 * 64 : 0;
}

/* Rows [first, first + rows), features [begin, end) into out[rows][n]; 0, 0: all features. */
static void run(ifn_backend *backend, const product *p, int is_packed, int64_t first, int64_t rows,
                int64_t begin, int64_t end, float *out)
{
    ifn_linear_q8_args args =
        IFN_ARGS(linear_q8, .part_begin = begin, .part_end = end, .x = p->x + first * p->k / 32,
                 .rows = rows, .k = p->k, .x_stride = p->k / 32, .n_w = 1, .w = {&p->w},
                 .packed = {is_packed ? p->packed.data : NULL}, .out = {out + first * p->n},
                 .bias = {p->bias}, .out_stride = {p->n});
    args.call.scratch_bytes = scratch_bytes(backend, p);
    args.call.scratch = args.call.scratch_bytes ? aligned_alloc(64, args.call.scratch_bytes) : NULL;
    if (args.call.scratch)
        memset(args.call.scratch, 0xff, args.call.scratch_bytes);
    assert_int_equal(ifn_linear_q8(backend, &args), IFN_OK);
    free(args.call.scratch);
}

static void expect_bits(const product *p, const char *what, const char *level, const float *got,
                        const float *want)
{
    for (int64_t i = 0; i < p->rows * p->n; i++)
        if (memcmp(&got[i], &want[i], sizeof *got) != 0)
            fail_msg("%s, %s, %s: row %d of %d, feature %d of %d, k %d: %a, expected %a", level,
                     ifn_dtype_name(p->w.dtype), what, (int)(i / p->n), (int)p->rows,
                     (int)(i % p->n), (int)p->n, (int)p->k, (double)got[i], (double)want[i]);
}

/* Rows that gather_rows decodes from the packed weight are those of the file. */
static void check_rows(ifn_backend *backend, const char *level, const product *p)
{
    float *const want = calloc((size_t)p->k, sizeof *want), *const got =
                                                                calloc((size_t)p->k, sizeof *got);
    assert_true(p->packed.ops & IFN_USE_GATHER_ROWS);
    for (int32_t i = 0; i < p->n; i++) {
        ifn_gather_rows_args a =
            IFN_ARGS(gather_rows, .out = want, .table = &p->w, .ids = &i, .n = 1);
        assert_int_equal(ifn_gather_rows(backend, &a), IFN_OK);
        a.out = got;
        a.packed = p->packed.data;
        assert_int_equal(ifn_gather_rows(backend, &a), IFN_OK);
        for (int64_t j = 0; j < p->k; j++)
            assert_that(memcmp(&got[j], &want[j], sizeof *got) == 0,
                        "%s, %s: row %d of %d, element %d of %d: %a, expected %a", level,
                        ifn_dtype_name(p->w.dtype), (int)i, (int)p->n, (int)j, (int)p->k,
                        (double)got[j], (double)want[j]);
    }
    free(got);
    free(want);
}

static void check_paths(ifn_backend *backend, const char *level, product *p, const float *want)
{
    float *const out = calloc((size_t)(p->rows * p->n), sizeof *out);
    run(backend, p, 1, 0, p->rows, 0, 0, out);
    expect_bits(p, "packed", level, out, want);
    memset(out, 0xff, (size_t)(p->rows * p->n) * sizeof *out);
    for (int64_t r = 0; r < p->rows; r++) /* row by row, packed and raw by turns */
        run(backend, p, (int)(r % 2), r, 1, 0, 0, out);
    expect_bits(p, "row by row", level, out, want);
    memset(out, 0xff, (size_t)(p->rows * p->n) * sizeof *out);
    const int64_t cut = p->n / 3 + 1;
    run(backend, p, 0, 0, p->rows, 0, cut, out);
    if (cut < p->n)
        run(backend, p, 1, 0, p->rows, cut, p->n, out);
    expect_bits(p, "in two parts", level, out, want);
    free(out);
}

/* Compares all paths of every level with its product from raw weights, which is the same on all levels with FMA; on a
 * lattice with the exact product. */
static void on_every_level(product *p, int is_lattice)
{
    const size_t bytes = (size_t)(p->rows * p->n) * sizeof(float);
    float *const want = calloc(1, bytes), *const fused = calloc(1, bytes);
    int has_fused = 0;
    ifn_backend *scalar;
    assert_int_equal(ifn_backend_open("scalar", NULL, &scalar, NULL), IFN_OK);
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *backend;
        if (ifn_backend_open(levels[i].name, NULL, &backend, NULL) != IFN_OK)
            continue;
        const ifn_tensor *const w = &p->w;
        assert_int_equal(backend->desc->prepare(backend, &w, 1,
                                                IFN_USE_LINEAR_Q8 | IFN_USE_GATHER_ROWS, &p->packed,
                                                NULL),
                         IFN_OK);
        assert_non_null(p->packed.data);
        assert_true(p->packed.ops & IFN_USE_LINEAR_Q8);
        check_rows(backend, levels[i].name, p);
        run(is_lattice ? scalar : backend, p, 0, 0, p->rows, 0, 0, want);
        /* whatever this processor is best at */
        for (ifn_cpu_streams s = IFN_STREAMS_SEVERAL; s < IFN_STREAMS_COUNT; s++) {
            ifn_cpu_assume_streams(s);
            for (scratch_size = 0; scratch_size < N_SCRATCHES; scratch_size++)
                check_paths(backend, levels[i].name, p, want);
        }
        if (levels[i].has_fma && has_fused)
            expect_bits(p, "like other levels", levels[i].name, want, fused);
        else if (levels[i].has_fma)
            memcpy(fused, want, bytes);
        has_fused |= levels[i].has_fma;
        backend->desc->release(backend, &p->packed);
        ifn_backend_close(backend);
    }
    ifn_backend_close(scalar);
    free(fused);
    free(want);
}

TEST(every_path_gives_the_same_bits)
{
    static const int64_t rows[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 25, 41, 97},
                         ns[] = {1, 15, 16, 17, 33, 50, 67, 149};
    for (uint64_t seed = 0; seed < 60; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR_Q8, seed);
        const ifn_dtype dtype = (ifn_dtype)(IFN_DTYPE_Q8_0 + seed % 10);
        const int64_t block = ifn_dtype_block_elements(dtype);
        product p = a_product(&c, dtype, rows[op_below(&c, N_OF(rows))], ns[op_below(&c, N_OF(ns))],
                              block * (1 + op_below(&c, 1600 / block)), 0);
        on_every_level(&p, 0);
        free_product(&p);
    }
}

TEST(rows_longer_than_the_tables_are_exact)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR_Q8, 0);
    product p = a_product(&c, IFN_DTYPE_Q2_K, 7, 3, 196608 + 256, 1);
    on_every_level(&p, 1);
    free_product(&p);
}

/* Every code as large as its bits allow, or as small. */
static void set_codes(ifn_dtype dtype, unsigned char *block, int byte)
{
#define ALL(type, member)                                                                          \
    memset(block + offsetof(ifn_block_##type, member), byte, sizeof((ifn_block_##type){0}.member))
#define ONE(NAME, type)                                                                            \
    case IFN_DTYPE_##NAME:                                                                         \
        ALL(type, qs);                                                                             \
        break
#define TWO(NAME, type, high, low)                                                                 \
    case IFN_DTYPE_##NAME:                                                                         \
        ALL(type, high);                                                                           \
        ALL(type, low);                                                                            \
        break
    switch (dtype) {
        ONE(Q8_0, q8_0);
        ONE(Q4_0, q4_0);
        ONE(Q4_1, q4_1);
        ONE(Q2_K, q2_k);
        ONE(Q4_K, q4_k);
        TWO(Q5_0, q5_0, qh, qs);
        TWO(Q5_1, q5_1, qh, qs);
        TWO(Q3_K, q3_k, hmask, qs);
        TWO(Q5_K, q5_k, qh, qs);
        TWO(Q6_K, q6_k, qh, ql);
    default:
        fail();
    }
#undef TWO
#undef ONE
#undef ALL
}

/* Kernels keep sums of products in few bits where they fit; these inputs have the largest sums possible. For a single
 * block of activations the result is exact. */
TEST(the_largest_sums_are_exact)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR_Q8, seed);
        const ifn_dtype dtype = (ifn_dtype)(IFN_DTYPE_Q8_0 + seed % 10);
        const int64_t rows = seed < 20 ? 1 + op_below(&c, 16) : 27, n = 35;
        product p = a_product(&c, dtype, rows, n, 256, 1);
        const int byte = seed / 10 % 2 ? 0 : dtype == IFN_DTYPE_Q8_0 ? 0x80 : 0xff;
        unsigned char *const data = (unsigned char *)(uintptr_t)p.w.data;
        const size_t size = ifn_dtype_block_bytes(dtype);
        for (size_t i = 0; i < (size_t)(n * 256 / ifn_dtype_block_elements(dtype)); i++)
            set_codes(dtype, data + i * size, byte);
        for (int64_t i = 0; i < rows * 8; i++) {
            const int code = i % 8 != i / 8 % 8 ? 0 : op_below(&c, 2) ? 127 : -127;
            memset(p.x[i].qs, code, sizeof p.x[i].qs);
            p.x[i].s = 32 * code;
        }
        on_every_level(&p, 1);
        free_product(&p);
    }
}
