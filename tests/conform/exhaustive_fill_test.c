/* Sweeps: every value occurs. */
#include "case_call.h"
#include "exhaustive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "test.h"

enum { AT_ONCE = 1024 };

/* Returns the inputs of tensor number `tensor` of a case, which the caller frees. */
static void *inputs(const conform_case *c, int tensor)
{
    conform_layout l = {0};
    void *data[CONFORM_MAX_TENSORS];
    assert_int_equal(conform_case_layout(c, &l), IFN_OK);
    for (int i = 0; i < l.n; i++)
        data[i] = calloc(l.t[i].bytes + 1, 1);
    conform_every_fill(c, &l, data);
    for (int i = 0; i < l.n; i++)
        if (i != tensor)
            free(data[i]);
    return data[tensor];
}

static uint32_t bits_at(const void *x, int64_t i)
{
    uint32_t bits;
    memcpy(&bits, (const char *)x + 4 * i, sizeof bits);
    return bits;
}

TEST(floats_count_up_in_bits)
{
    const conform_case c = {
        .op = IFN_OP_SILU, .dim = {70000}, .family = FAMILY_EVERY, .seed = 0xffff8000u};
    void *x = inputs(&c, 0);
    for (int64_t i = 0; i < 70000; i++)
        assert_int_equal(bits_at(x, i), (uint32_t)(0xffff8000u + (uint64_t)i));
    free(x);
}

/* Each row begins with a zero, so that the exponentials are those of the other values. */
TEST(logits_stand_beside_a_zero)
{
    const conform_case c = {
        .op = IFN_OP_SOFTMAX_ROWS, .dim = {3, 16}, .family = FAMILY_EVERY, .seed = 0xc0000000u};
    void *x = inputs(&c, 0);
    for (int64_t i = 0, number = 0; i < 48; i++)
        assert_int_equal(bits_at(x, i), i % 16 ? 0xc0000000u + (uint32_t)number++ : 0);
    free(x);
}

TEST(patterns_are_read_in_turn)
{
    const conform_case c = {.op = IFN_OP_DEQUANTIZE_ROWS,
                            .dtype = IFN_DTYPE_BF16,
                            .dim = {256, 256},
                            .family = FAMILY_EVERY};
    uint16_t *x = inputs(&c, 0);
    for (int64_t i = 0; i < 65536; i++)
        assert_int_equal(x[i], i);
    free(x);
}

/* For each pattern the inputs hold the value itself, the middle between it and the next, and both f32 neighbours of
 * that middle. */
TEST(what_is_written_lies_on_and_about_the_ties)
{
    const conform_case c = {.op = IFN_OP_KV_STORE,
                            .dtype = IFN_DTYPE_F16,
                            .dim = {1024, 0, 0, 1, 256},
                            .family = FAMILY_EVERY};
    float *x = inputs(&c, 0);
    int64_t n_ties = 0;
    for (uint32_t h = 0; h < 0x10000; h++) {
        const double here = conform_f16_value((uint16_t)h);
        const float *v = x + 4 * h;
        if ((h & 0x7fff) > 0x7c00) {
            assert_true(isnan(v[0]) && isnan(v[1]) && isnan(v[2]) && isnan(v[3]));
            continue;
        }
        assert_true((double)v[0] == here && !signbit(v[0]) == !(h & 0x8000));
        if ((h & 0x7fff) == 0x7c00) {
            assert_true(isnan(v[1]) && isnan(v[2]) && isnan(v[3]));
            continue;
        }
        const int even = !(h & 1);
        assert_int_equal(conform_f16_nearest((double)v[1]), even ? h : h + 1);
        assert_int_equal(conform_f16_nearest((double)v[2]), h);
        assert_int_equal(conform_f16_nearest((double)v[3]), h + 1);
        assert_int_equal(bits_at(v, 2) + 1, bits_at(v, 1));
        assert_int_equal(bits_at(v, 1) + 1, bits_at(v, 3));
        n_ties++;
    }
    assert_int_equal(n_ties, 2 * 0x7c00);
    free(x);
}

TEST(the_same_for_bf16)
{
    const conform_case c = {.op = IFN_OP_QUANTIZE_ROWS,
                            .out_dtype = IFN_DTYPE_BF16,
                            .dim = {1024, 256},
                            .family = FAMILY_EVERY};
    void *x = inputs(&c, 0);
    for (uint32_t h = 0; h < 0x10000; h++) {
        static const uint32_t below[] = {0, 0x8000, 0x7fff, 0x8001};
        for (int kind = 0; kind < 4; kind++)
            assert_int_equal(bits_at(x, 4 * (int64_t)h + kind), h << 16 | below[kind]);
    }
    free(x);
}

/* What has occurred in a sweep over blocks. */
typedef struct statistics {
    unsigned char *code_at;     /* [elements][codes] */
    unsigned char *pair_at;     /* [groups][pairs] */
    unsigned char *d, *dmin;    /* [patterns] */
    unsigned char under_d[256]; /* codes since d last changed */
} statistics;

static int all_set(const unsigned char *marks, size_t n)
{
    return !memchr(marks, 0, n);
}

/* Returns the offset of an f16 field of a block: where ones appear when it is set. */
static size_t half_place(ifn_dtype dtype, int is_second)
{
    unsigned char probe[256] = {0};
    size_t at = 0;
    conform_put_units(dtype, probe, is_second ? 0 : 0xffff, is_second ? 0xffff : 0);
    while (!probe[at])
        at++;
    return at;
}

static uint16_t half_at(const unsigned char *block, size_t at)
{
    uint16_t half;
    memcpy(&half, block + at, sizeof half);
    return half;
}

static void count_codes(ifn_dtype dtype, const conform_limits *l, const unsigned char *block,
                        statistics *t)
{
    const int n = (int)ifn_dtype_block_elements(dtype), n_codes = l->c_high - l->c_low + 1;
    for (int i = 0; i < n; i++) {
        const int c = conform_code_at(dtype, block, i).c - l->c_low;
        t->under_d[c] = t->code_at[i * n_codes + c] = 1;
    }
}

static void count_scales(ifn_dtype dtype, const conform_limits *l, const unsigned char *block,
                         statistics *t)
{
    const int n = (int)ifn_dtype_block_elements(dtype), n_m = l->m_high + 1;
    const int n_pairs = (l->sc_high - l->sc_low + 1) * n_m;
    for (int i = 0; i < n && n_pairs > 1; i += l->group) {
        const conform_code code = conform_code_at(dtype, block, i);
        t->pair_at[i / l->group * n_pairs + (code.sc - l->sc_low) * n_m + (n_m > 1 ? code.m : 0)] =
            1;
    }
}

/* The blocks of one d together have all codes. Of the large blocks, which are alike, only some are checked. */
static void count_blocks(ifn_dtype dtype, const conform_limits *l, const unsigned char *x,
                         size_t first, statistics *t)
{
    const size_t turns = (size_t)conform_every_turns(dtype), bytes = ifn_dtype_block_bytes(dtype);
    const size_t d_at = half_place(dtype, 0), dmin_at = l->has_min ? half_place(dtype, 1) : 0;
    const size_t n_codes = (size_t)(l->c_high - l->c_low + 1);
    const size_t step = ifn_dtype_block_elements(dtype) == 256 ? 61 : 1;
    for (size_t i = 0; i < AT_ONCE; i++) {
        const unsigned char *block = x + i * bytes;
        t->d[half_at(block, d_at)] = 1;
        t->dmin[half_at(block, dmin_at)] = 1;
        count_scales(dtype, l, block, t);
        if ((first + i) / turns % step)
            continue;
        count_codes(dtype, l, block, t);
        if (i % turns == turns - 1) {
            assert_that(all_set(t->under_d, n_codes), "%s: codes under one d",
                        ifn_dtype_name(dtype));
            memset(t->under_d, 0, sizeof t->under_d);
        }
    }
}

static void sweep_over_blocks(ifn_dtype dtype)
{
    const conform_limits l = conform_limits_of(dtype);
    const size_t n = (size_t)ifn_dtype_block_elements(dtype);
    const size_t codes = (size_t)(l.c_high - l.c_low + 1), groups = n / (size_t)l.group;
    const size_t pairs = (size_t)(l.sc_high - l.sc_low + 1) * (size_t)(l.m_high + 1);
    statistics t = {
        calloc(n, codes), calloc(groups, pairs), calloc(65536, 1), calloc(65536, 1), {0}};
    for (int64_t b = 0; b < conform_every_blocks(dtype); b += AT_ONCE) {
        const conform_case c = {.op = IFN_OP_DEQUANTIZE_ROWS,
                                .dtype = dtype,
                                .dim = {AT_ONCE, (int64_t)n},
                                .family = FAMILY_EVERY,
                                .seed = (uint64_t)b};
        unsigned char *x = inputs(&c, 0);
        count_blocks(dtype, &l, x, (size_t)b, &t);
        free(x);
    }
    assert_that(all_set(t.d, 65536), "%s: patterns of d", ifn_dtype_name(dtype));
    assert_that(all_set(t.code_at, n * codes), "%s: codes at places", ifn_dtype_name(dtype));
    assert_that(pairs == 1 || all_set(t.pair_at, groups * pairs), "%s: scales and minima",
                ifn_dtype_name(dtype));
    assert_that(!l.has_min || all_set(t.dmin, 65536), "%s: second f16", ifn_dtype_name(dtype));
    free(t.code_at);
    free(t.pair_at);
    free(t.d);
    free(t.dmin);
}

TEST(blocks_have_all_codes_under_all_scales)
{
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        if (ifn_dtype_is_quantized((ifn_dtype)d) && d != IFN_DTYPE_Q8_32F)
            sweep_over_blocks((ifn_dtype)d);
}

/* Encodes the order of each pair of the row (above, below or equal) as one number in base 3. */
static uint64_t signature(const float *x, int64_t n)
{
    uint64_t h = 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            h = 3 * h + (x[i] > x[j] ? 2u : x[i] < x[j] ? 1u : 0u);
    return h;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The counts are the numbers of weak orderings, OEIS A000670; and no two orderings are equal. */
TEST(orderings_are_all_there_and_differ)
{
    static const int64_t counts[] = {1, 1, 3, 13, 75, 541, 4683, 47293};
    for (int64_t n = 1; n <= EVERY_ORDERED; n++) {
        assert_int_equal(conform_orderings(n), counts[n]);
        uint64_t *seen = calloc((size_t)counts[n], sizeof *seen);
        for (int64_t i = 0; i < counts[n]; i++) {
            const conform_case c = {.op = IFN_OP_ARGMAX_WITH_PROB,
                                    .dim = {n},
                                    .family = FAMILY_EVERY,
                                    .seed = (uint64_t)i};
            float *x = inputs(&c, 0);
            seen[i] = signature(x, n);
            free(x);
        }
        qsort(seen, (size_t)counts[n], sizeof *seen, by_number);
        for (int64_t i = 1; i < counts[n]; i++)
            assert_true(seen[i] != seen[i - 1]);
        free(seen);
    }
}

/* Any seed and any odd size, which a user may ask for, can be filled. */
TEST(any_seed_and_size_will_do)
{
    const conform_case odd[] = {
        {.op = IFN_OP_ARGMAX_WITH_PROB, .dim = {5}, .seed = UINT64_MAX},
        {.op = IFN_OP_SOFTMAX_ROWS, .dim = {3, 1}, .seed = 7},
        {.op = IFN_OP_LINEAR,
         .dtype = IFN_DTYPE_Q4_K,
         .dim = {3, 5, 512, 2, 1, 1},
         .seed = 1u << 30},
        {.op = IFN_OP_LINEAR_Q8, .dtype = IFN_DTYPE_Q6_K, .dim = {300, 1, 256, 1, 2, 0}},
        {.op = IFN_OP_GATHER_ROWS, .dtype = IFN_DTYPE_Q8_0, .dim = {9, 2, 64}},
        {.op = IFN_OP_KV_STORE, .dtype = IFN_DTYPE_F16, .dim = {2, 3, 1, 2, 5}},
        {.op = IFN_OP_SILU, .dim = {0}},
    };
    for (size_t i = 0; i < N_OF(odd); i++)
        free(inputs(&odd[i], 0));
}
