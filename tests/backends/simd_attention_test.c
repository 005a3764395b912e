/*
 * attention of every level: many queries in one call, which use panels of K and V, must have the bits
 * of one row per call, which reads K and V in place. Rows, heads and components are around the sizes of
 * tiles, vectors and blocks of keys. In half of the cases the keys that only later rows see are NaN. The
 * scratch is as large as was asked for, or missing. The same in a cache in pages.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/quant.h>
#include <inferno/spans.h>

#include "random.h"
#include "test.h"

static const char *const levels[] = {
#define X(NAME, name) "simd=" name,
    IFN_CPU_LEVELS(X)
#undef X
};

/* Floats with full significands, of both signs and many magnitudes, and some zeros. */
static float *random_floats(int64_t n)
{
    float *const x = malloc((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = below(20) ? ldexpf((float)below(1 << 24) - 0x1p23f, (int)below(6) - 26) : 0.0f;
    return x;
}

typedef struct attend {
    int64_t rows, first_pos, max_pos, n_heads, n_kv_heads, head_dim;
    ifn_dtype dtype;
    float *q;
    unsigned char *k, *v;
} attend;

static unsigned char *random_cache(const attend *t, int has_nan)
{
    const size_t row_bytes = ifn_dtype_row_bytes(t->dtype, t->head_dim);
    const int64_t n = t->n_kv_heads * t->max_pos;
    unsigned char *const cache = malloc((size_t)n * row_bytes + 1);
    for (int64_t i = 0; i < n; i++) {
        float *const row = random_floats(t->head_dim);
        if (has_nan && i % t->max_pos > t->first_pos + t->rows / 2)
            row[below(t->head_dim)] = NAN;
        assert_int_equal(
            ifn_quantize_row(t->dtype, row, cache + (size_t)i * row_bytes, t->head_dim), IFN_OK);
        free(row);
    }
    return cache;
}

static int64_t pick(const int64_t *of, size_t n)
{
    return of[below((int64_t)n)];
}

static attend an_attend(uint64_t seed)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    static const int64_t head_dims[] = {1, 3, 4, 7, 15, 16, 17, 33, 63, 64, 70, 128, 130, 300};
    static const int64_t row_counts[] = {7, 12, 13, 24, 25, 30, 49, 61};
    static const int64_t positions[] = {0, 1, 15, 16, 31, 200, 240, 255, 256, 300, 500};
    state_of_random = seed;
    attend t = {.dtype = dtypes[seed % N_OF(dtypes)], .n_kv_heads = 1 + below(2)};
    t.n_heads = t.n_kv_heads * (1 + below(5));
    t.rows = pick(row_counts, N_OF(row_counts));
    t.first_pos = pick(positions, N_OF(positions));
    t.max_pos = t.first_pos + t.rows + below(3);
    t.head_dim = t.dtype == IFN_DTYPE_Q8_0 ? 32 * (1 + below(5)) : pick(head_dims, N_OF(head_dims));
    t.q = random_floats(t.rows * t.n_heads * t.head_dim);
    const int has_nan = seed / 3 % 2;
    t.k = random_cache(&t, has_nan);
    t.v = random_cache(&t, has_nan);
    return t;
}

static void free_attend(attend *t)
{
    free(t->q);
    free(t->k);
    free(t->v);
}

/* The call for rows [row, row + rows) only. */
static ifn_attention_args args_of(const attend *t, int64_t row, int64_t rows, float *out)
{
    const int64_t at = row * t->n_heads * t->head_dim;
    return IFN_ARGS(attention, .out = out ? out + at : NULL, .q = t->q + at, .k_cache = t->k,
                    .v_cache = t->v, .rows = rows, .first_pos = t->first_pos + row,
                    .max_pos = t->max_pos, .n_heads = t->n_heads, .n_kv_heads = t->n_kv_heads,
                    .head_dim = t->head_dim, .scale = 0.3f, .cache_dtype = t->dtype);
}

static void give_scratch(ifn_backend *backend, const attend *t, ifn_call *call)
{
    const ifn_limits limits = {.limits_bytes = sizeof limits,
                               .rows = t->rows,
                               .max_pos = t->max_pos,
                               .n_heads = t->n_heads,
                               .n_kv_heads = t->n_kv_heads,
                               .head_dim = t->head_dim};
    call->scratch_bytes = (ifn_backend_scratch_bytes(backend, &limits) + 63) / 64 * 64;
    call->scratch = aligned_alloc(64, call->scratch_bytes + 64);
    memset(call->scratch, 0xff, call->scratch_bytes);
}

/* Expects equal bits; any NaN equals any other. */
static void expect_floats(const char *expression, const attend *t, const float *got,
                          const float *want, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], sizeof *got) != 0 && !(isnan(got[i]) && isnan(want[i])))
            fail_msg("%s: %s, %lld rows at %lld, %lld heads over %lld, head_dim %lld: element "
                     "%lld is %a, expected %a",
                     expression, ifn_dtype_name(t->dtype), (long long)t->rows,
                     (long long)t->first_pos, (long long)t->n_heads, (long long)t->n_kv_heads,
                     (long long)t->head_dim, (long long)i, (double)got[i], (double)want[i]);
}

static float *one_row_in_each_call(ifn_backend *backend, const attend *t)
{
    float *const out = random_floats(t->rows * t->n_heads * t->head_dim);
    for (int64_t row = 0; row < t->rows; row++) {
        const ifn_attention_args args = args_of(t, row, 1, out);
        assert_int_equal(ifn_attention(backend, &args), IFN_OK);
    }
    return out;
}

static void check_whole(ifn_backend *backend, const char *expression, const attend *t,
                        int has_scratch, const float *want)
{
    const int64_t n = t->rows * t->n_heads * t->head_dim;
    float *const out = random_floats(n);
    ifn_attention_args args = args_of(t, 0, t->rows, out);
    if (has_scratch)
        give_scratch(backend, t, &args.call);
    assert_int_equal(ifn_attention(backend, &args), IFN_OK);
    expect_floats(expression, t, out, want, n);
    free(args.call.scratch);
    free(out);
}

/* Computes partials block by block, for all heads, then merges them. */
static void check_partials(ifn_backend *backend, const char *expression, const attend *t,
                           const float *want)
{
    const int64_t n = t->rows * t->n_heads;
    const int64_t blocks = (t->first_pos + t->rows + 255) / IFN_ATTENTION_BLOCK;
    float *const out = random_floats(n * t->head_dim);
    ifn_attention_args args = args_of(t, 0, t->rows, out);
    give_scratch(backend, t, &args.call);
    args.partials = random_floats(n * blocks * (2 + t->head_dim));
    args.phase = IFN_ATTENTION_PARTIALS;
    for (int64_t block = 0; block < blocks; block++) {
        args.part2_begin = block;
        args.part2_end = block + 1;
        assert_int_equal(ifn_attention(backend, &args), IFN_OK);
    }
    args.phase = IFN_ATTENTION_MERGE;
    args.part2_begin = args.part2_end = 0;
    assert_int_equal(ifn_attention(backend, &args), IFN_OK);
    expect_floats(expression, t, out, want, n * t->head_dim);
    free(args.call.scratch);
    free(args.partials);
    free(out);
}

/* A copy of the cache in pages; rows that are in no page are NaN. */
static unsigned char *cache_in_pages(const attend *t, const unsigned char *cache,
                                     const ifn_attention_args *paged)
{
    const size_t bytes = ifn_dtype_row_bytes(t->dtype, t->head_dim);
    unsigned char *const copy = malloc((size_t)(t->n_kv_heads * paged->max_pos) * bytes + 1);
    memset(copy, 0xff, (size_t)(t->n_kv_heads * paged->max_pos) * bytes);
    for (int64_t h = 0; h < t->n_kv_heads; h++)
        for (int64_t pos = 0; pos < t->first_pos + t->rows; pos++)
            memcpy(copy + (size_t)(h * paged->max_pos +
                                   ifn_page_row(paged->pages, paged->page_rows, pos)) *
                              bytes,
                   cache + (size_t)(h * t->max_pos + pos) * bytes, bytes);
    return copy;
}

/* Pages of random sizes, a third of which the block table leaves out. */
static void check_pages(ifn_backend *backend, const char *expression, const attend *t,
                        int has_scratch, const float *want)
{
    int32_t table[64];
    const int64_t n = t->rows * t->n_heads * t->head_dim;
    float *const out = random_floats(n);
    ifn_attention_args args = args_of(t, 0, t->rows, out);
    args.pages = table;
    args.page_rows = (int64_t)IFN_PAGE_ROWS_LEAST << below(5);
    args.n_pages = (t->first_pos + t->rows + args.page_rows - 1) / args.page_rows;
    args.max_pos = (args.n_pages * 3 / 2 + 1) * args.page_rows;
    for (int64_t i = 0; i < args.n_pages; i++)
        table[args.n_pages - 1 - i] = (int32_t)(i * 3 / 2);
    unsigned char *const k = cache_in_pages(t, t->k, &args);
    unsigned char *const v = cache_in_pages(t, t->v, &args);
    args.k_cache = k;
    args.v_cache = v;
    if (has_scratch)
        give_scratch(backend, t, &args.call);
    assert_int_equal(ifn_attention(backend, &args), IFN_OK);
    expect_floats(expression, t, out, want, n);
    free(args.call.scratch);
    free(out);
    free(k);
    free(v);
}

TEST(many_queries_have_the_bits_of_one)
{
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *backend;
        if (ifn_backend_open(levels[i], NULL, &backend, NULL) != IFN_OK)
            continue; /* this processor has no such level */
        for (uint64_t seed = 0; seed < 60; seed++) {
            attend t = an_attend(seed);
            float *const want = one_row_in_each_call(backend, &t);
            check_whole(backend, levels[i], &t, 1, want);
            check_whole(backend, levels[i], &t, 0, want);
            check_pages(backend, levels[i], &t, 1, want);
            check_pages(backend, levels[i], &t, 0, want);
            check_partials(backend, levels[i], &t, want);
            free(want);
            free_attend(&t);
        }
        ifn_backend_close(backend);
    }
}

/* More queries than share the panels of a block. */
TEST(queries_of_several_spans_have_the_bits_of_one)
{
    state_of_random = 1;
    attend t = {.rows = 190,
                .first_pos = 170,
                .max_pos = 360,
                .n_heads = 3,
                .n_kv_heads = 1,
                .head_dim = 20,
                .dtype = IFN_DTYPE_F16};
    t.q = random_floats(t.rows * t.n_heads * t.head_dim);
    t.k = random_cache(&t, 0);
    t.v = random_cache(&t, 0);
    for (size_t i = 0; i < N_OF(levels); i++) {
        ifn_backend *backend;
        if (ifn_backend_open(levels[i], NULL, &backend, NULL) != IFN_OK)
            continue;
        float *const want = one_row_in_each_call(backend, &t);
        check_whole(backend, levels[i], &t, 1, want);
        free(want);
        ifn_backend_close(backend);
    }
    free_attend(&t);
}
