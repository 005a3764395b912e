#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>

#include "op_case.h"

typedef struct attend {
    int64_t rows, first_pos, max_pos, n_heads, n_kv_heads, head_dim, n_blocks;
    float scale;
    ifn_dtype dtype;
    const float *q;
    const unsigned char *k_cache, *v_cache;
    float *k, *v; /* the caches, decoded: [n_kv_heads, max_pos, head_dim] */
    float *out, *partials;
} attend;

/* Fills a cache with random rows up to the last visible key, and with NaN of its dtype after it. */
static const unsigned char *build_cache(op_case *c, const attend *t, float *decoded)
{
    const size_t row_bytes = ifn_dtype_row_bytes(t->dtype, t->head_dim);
    const size_t bytes = (size_t)(t->n_kv_heads * t->max_pos) * row_bytes;
    unsigned char *const cache = malloc(bytes + 1);
    memset(cache, 0xff, bytes + 1);
    for (int64_t i = 0; i < t->n_kv_heads * t->max_pos; i++) {
        float *const row = decoded + i * t->head_dim;
        if (i % t->max_pos >= t->first_pos + t->rows)
            continue;
        for (int64_t j = 0; j < t->head_dim; j++)
            row[j] = op_float(c, OP_PLAIN);
        unsigned char *const at = cache + (size_t)i * row_bytes;
        assert_int_equal(ifn_quantize_row(t->dtype, row, at, t->head_dim), IFN_OK);
        assert_int_equal(ifn_dequantize_row(t->dtype, at, row, t->head_dim), IFN_OK);
    }
    const unsigned char *const input = op_input(c, cache, bytes);
    free(cache);
    return input;
}

static float *zeros(int64_t n)
{
    return calloc((size_t)n + 1, sizeof(float));
}

/* Draws sizes; the last key is often at the edge of a block. */
static attend sizes(op_case *c, uint64_t seed)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    static const int64_t edges[] = {0, 1, 254, 255, 256, 510, 511, 512, 513};
    attend t = {.dtype = dtypes[seed % 3], .rows = op_size(c, 4)};
    t.first_pos = seed % 2 ? edges[op_below(c, N_OF(edges))] : op_below(c, 40);
    t.max_pos = t.first_pos + t.rows + op_below(c, 3);
    t.n_kv_heads = 1 + op_below(c, 2);
    t.n_heads = t.n_kv_heads * (1 + op_below(c, 4));
    t.head_dim = t.dtype == IFN_DTYPE_Q8_0 ? 32 * op_below(c, 3) : op_size(c, 70);
    if (seed % 17 == 0)
        t.head_dim = 288; /* more than is decoded at once */
    if (seed % 19 == 0)
        t.head_dim = 128; /* simd unrolls its loops for it */
    t.scale = 0.5f / sqrtf((float)t.head_dim + 1.0f);
    t.n_blocks = (t.first_pos + t.rows + 255) / 256;
    return t;
}

static attend build(op_case *c, uint64_t seed, ifn_attention_phase phase)
{
    op_begin(c, IFN_OP_ATTENTION, seed);
    attend t = sizes(c, seed);
    const int64_t cache = t.n_kv_heads * t.max_pos * t.head_dim, n = t.rows * t.n_heads;
    t.k = zeros(cache);
    t.v = zeros(cache);
    t.k_cache = build_cache(c, &t, t.k);
    t.v_cache = build_cache(c, &t, t.v);
    t.q = op_floats(c, n * t.head_dim, OP_PLAIN);
    if (phase == IFN_ATTENTION_PARTIALS)
        t.partials = op_output(c, n * t.n_blocks * (2 + t.head_dim) * 4);
    else
        t.out = op_output(c, n * t.head_dim * 4);
    c->args.attention =
        IFN_ARGS(attention, .out = t.out, .q = t.q, .k_cache = t.k_cache, .v_cache = t.v_cache,
                 .partials = t.partials, .rows = t.rows, .first_pos = t.first_pos,
                 .max_pos = t.max_pos, .n_heads = t.n_heads, .n_kv_heads = t.n_kv_heads,
                 .head_dim = t.head_dim, .scale = t.scale, .cache_dtype = t.dtype, .phase = phase);
    op_shape(c, "%s, rows %d at %d, heads %d over %d, head_dim %d", ifn_dtype_name(t.dtype),
             (int)t.rows, (int)t.first_pos, (int)t.n_heads, (int)t.n_kv_heads, (int)t.head_dim);
    return t;
}

static void fini(attend *t)
{
    free(t->k);
    free(t->v);
}

/* The quantities of numerics 7.7 for one row and head: scores, how far each may be off, weights. */
typedef struct truth {
    int64_t n; /* visible keys */
    const float *q, *k, *v;
    double s[600], d[600], p[600], r[600];
    double share, g, n_rescales; /* P, G, n */
} truth;

static void score_keys(truth *o, const attend *t)
{
    for (int64_t i = 0; i < o->n; i++) {
        op_sum dot = {0};
        double inputs = 0.0;
        for (int64_t j = t->head_dim - 1; j >= 0; j--) {
            op_add(&dot, (double)o->q[j] * (double)o->k[i * t->head_dim + j]);
            inputs += fabs((double)o->q[j]) + fabs((double)o->k[i * t->head_dim + j]);
        }
        const double scale = fabs((double)t->scale), h = (double)t->head_dim;
        o->s[i] = (double)t->scale * op_value(&dot);
        o->d[i] = scale * op_sum_bound(&dot, h + 2.0) + OP_U * fabs(o->s[i]) +
                  OP_SMIN * (h * (1.0 + scale) + inputs);
    }
}

static void weigh_keys(truth *o)
{
    double max = (double)-INFINITY, max_d = 0.0, sum = 0.0;
    for (int64_t i = 0; i < o->n; i++) {
        max = fmax(max, o->s[i]);
        max_d = fmax(max_d, o->d[i]);
    }
    for (int64_t i = o->n - 1; i >= 0; i--)
        sum += exp(o->s[i] - max);
    const int64_t n_blocks = (o->n + 255) / 256;
    o->share = 0.0;
    o->n_rescales = n_blocks > 1 ? (double)n_blocks : 0.0;
    for (int64_t i = 0; i < o->n; i++) {
        const double rescales = n_blocks > 1 ? (double)(n_blocks - i / 256) : 0.0;
        o->p[i] = exp(o->s[i] - max) / sum;
        o->r[i] =
            expm1(o->d[i] + OP_U * (max - o->s[i] + 2.0 * max_d) + 4.0 * OP_U * (1.0 + rescales));
        o->share += o->p[i] * o->r[i];
    }
    const double depth = n_blocks > 1 ? 256.0 + (double)n_blocks : (double)o->n;
    o->g = op_gamma(depth + 2.0 + 2.0 * o->n_rescales);
}

static void expect_component(const op_case *c, const attend *t, const truth *o, int64_t j,
                             int64_t index)
{
    double want = 0.0, from_weights = 0.0, from_sums = 0.0, flushed = 0.0, max_v = 0.0;
    for (int64_t i = o->n - 1; i >= 0; i--)
        want += o->p[i] * (double)o->v[i * t->head_dim + j];
    for (int64_t i = 0; i < o->n; i++) {
        const double v = (double)o->v[i * t->head_dim + j];
        from_weights += o->p[i] * o->r[i] * fabs(v - want);
        from_sums += o->p[i] * (1.0 + o->r[i]) * (fabs(v) + fabs(want));
        flushed += fabs(v - want);
        max_v = fmax(max_v, fabs(v));
    }
    const double one = t->dtype == IFN_DTYPE_Q8_0 ? 128.0 : 1.0;
    const double floor = (double)(o->n + 2) * OP_SMIN * (one + max_v) + 0x1p-124 * flushed;
    assert_true(o->share < 0.01); /* otherwise the bound is blunt */
    op_expect(c, "out", index, t->out[index], want,
              (from_weights + o->g * from_sums) / ((1.0 - o->share) * (1.0 - o->g)) +
                  4.0 * OP_U * fabs(want) + floor);
}

static void expect_attention(const op_case *c, const attend *t)
{
    static truth o;
    for (int64_t i = 0; i < t->rows * t->n_heads; i++) {
        const int64_t row = i / t->n_heads, head = i % t->n_heads;
        const int64_t kv_head = head / (t->n_heads / t->n_kv_heads);
        if (t->head_dim == 0)
            continue;
        o.n = t->first_pos + row + 1;
        o.q = t->q + i * t->head_dim;
        o.k = t->k + kv_head * t->max_pos * t->head_dim;
        o.v = t->v + kv_head * t->max_pos * t->head_dim;
        score_keys(&o, t);
        weigh_keys(&o);
        for (int64_t j = 0; j < t->head_dim; j++)
            expect_component(c, t, &o, j, i * t->head_dim + j);
    }
}

TEST(every_cache_dtype_is_within_the_centred_bound)
{
    for (uint64_t seed = 0; seed < 204; seed++) {
        op_case c;
        attend t = build(&c, seed, IFN_ATTENTION_WHOLE);
        while (op_next(&c))
            expect_attention(&c, &t);
        fini(&t);
    }
}

TEST(partials_merged_give_the_bits_of_the_whole)
{
    for (uint64_t seed = 0; seed < 102; seed++) {
        op_case whole, partial, merge;
        attend w = build(&whole, seed, IFN_ATTENTION_WHOLE);
        attend p = build(&partial, seed, IFN_ATTENTION_PARTIALS);
        while (op_next(&whole) & op_next(&partial)) {
            attend m = build(&merge, seed, IFN_ATTENTION_MERGE);
            const int64_t n = p.rows * p.n_heads * p.n_blocks * (2 + p.head_dim);
            merge.args.attention.partials = (float *)(uintptr_t)op_input(&merge, p.partials, n * 4);
            while (op_next(&merge))
                if (merge.backend == whole.backend)
                    op_expect_bytes(&merge, "out", m.out, w.out,
                                    w.rows * w.n_heads * w.head_dim * 4);
            fini(&m);
        }
        fini(&w);
        fini(&p);
    }
}

TEST(a_row_alone_has_the_bits_it_has_in_a_chunk)
{
    for (uint64_t seed = 0; seed < 102; seed++) {
        op_case chunk, one;
        attend t = build(&chunk, seed, IFN_ATTENTION_WHOLE);
        op_begin(&one, IFN_OP_ATTENTION, seed);
        const int64_t row = op_below(&one, t.rows), n = t.rows > 0 ? t.n_heads * t.head_dim : 0;
        float *out = op_output(&one, n * 4);
        one.args.attention = chunk.args.attention;
        one.args.attention.rows = t.rows > 0;
        one.args.attention.first_pos += row;
        one.args.attention.q = op_at(t.q, row * n);
        one.args.attention.out = out;
        while (op_next(&chunk) & op_next(&one))
            op_expect_bytes(&one, "out", out, op_at(t.out, row * n), n * 4);
        fini(&t);
    }
}

/* One head of one component with q = scale = 1, so the scores are the keys. The row is at the last of `n` keys: key
 * 0 is `first`, the last one `last`, the others `between`; value i is i + 1. */
static void expect_of_keys(float first, float between, float last, int n, float want)
{
    float k[300], v[300];
    op_case c;
    op_begin(&c, IFN_OP_ATTENTION, (uint64_t)n);
    for (int i = 0; i < n; i++) {
        k[i] = i == 0 ? first : i == n - 1 ? last : between;
        v[i] = (float)(i + 1);
    }
    float *out = op_output(&c, sizeof *out);
    c.args.attention = IFN_ARGS(
        attention, .out = out, .q = OP_IN(&c, 1), .k_cache = op_input(&c, k, n * sizeof *k),
        .v_cache = op_input(&c, v, n * sizeof *v), .rows = 1, .first_pos = n - 1, .max_pos = n,
        .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1, .cache_dtype = IFN_DTYPE_F32);
    op_shape(&c, "keys %g, %g ..., %g, n %d", (double)first, (double)between, (double)last, n);
    while (op_next(&c))
        op_expect_float(&c, "out", 0, *out, want);
}

TEST(special_scores)
{
    expect_of_keys(5, 5, 5, 1, 1);
    expect_of_keys(5, 5, 5, 3, 2);
    for (int n = 2; n <= 257; n += 255) { /* within a block, and over two */
        expect_of_keys(-INFINITY, -INFINITY, 3, n, (float)n);
        expect_of_keys(3, -INFINITY, -INFINITY, n, 1);
        expect_of_keys(-INFINITY, -INFINITY, -INFINITY, n, NAN);
        expect_of_keys(INFINITY, 0, 0, n, NAN);
        expect_of_keys(0, 0, INFINITY, n, NAN);
        expect_of_keys(NAN, 0, 0, n, NAN);
        expect_of_keys(0, 0, NAN, n, NAN);
        expect_of_keys(NAN, -INFINITY, -INFINITY, n, NAN);
        expect_of_keys(-INFINITY, -INFINITY, NAN, n, NAN);
    }
    expect_of_keys(NAN, NAN, 0, 257, NAN); /* a block of NaN only */
}

TEST(later_keys_do_not_reach_earlier_rows)
{
    op_case c;
    op_begin(&c, IFN_OP_ATTENTION, 0);
    const float *q = OP_IN(&c, 1, 1);
    const float *k = OP_IN(&c, 0, NAN), *v = OP_IN(&c, 7, NAN);
    float *out = op_output(&c, 2 * sizeof *out);
    c.args.attention =
        IFN_ARGS(attention, .out = out, .q = q, .k_cache = k, .v_cache = v, .rows = 2, .max_pos = 2,
                 .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1);
    while (op_next(&c))
        OP_EXPECT(&c, out, 7, NAN);
}

TEST(what_does_not_fit_is_refused)
{
    const ifn_attention_args wrong[] = {
        IFN_ARGS(attention, .n_heads = 3, .n_kv_heads = 2),
        IFN_ARGS(attention, .n_heads = 1, .n_kv_heads = 0),
        IFN_ARGS(attention, .n_heads = -1, .n_kv_heads = 1),
        IFN_ARGS(attention, .rows = 2, .first_pos = 3, .max_pos = 4),
        IFN_ARGS(attention, .rows = 1, .first_pos = INT64_MAX, .max_pos = 4),
        IFN_ARGS(attention, .rows = 2, .first_pos = 1, .max_pos = INT64_MIN),
        IFN_ARGS(attention, .first_pos = -1),
        IFN_ARGS(attention, .rows = -1),
        IFN_ARGS(attention, .head_dim = -1),
        IFN_ARGS(attention, .head_dim = 33, .cache_dtype = IFN_DTYPE_Q8_0),
        IFN_ARGS(attention, .head_dim = 32, .cache_dtype = IFN_DTYPE_BF16),
        IFN_ARGS(attention, .phase = 3),
        IFN_ARGS(attention, .phase = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_ATTENTION, i);
        c.args.attention = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
