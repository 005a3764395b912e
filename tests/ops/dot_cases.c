#include "dot_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 24, BLOCK_BYTES = 256 };

/* One row of weights and one of activations, of `n` weight blocks. */
typedef struct row {
    op_weights w;
    ifn_block_q8_32f x[MAX_BLOCKS * 8];
    int64_t n;
} row;

static row build(op_case *c, const dot_format *f, uint64_t seed, op_scales scales)
{
    op_begin(c, IFN_OP_LINEAR_Q8, seed);
    const int64_t block = ifn_dtype_block_elements(f->dtype);
    row t = {.n = op_size(c, scales == OP_SCALES_ONE ? 512 / block : MAX_BLOCKS)};
    op_weights_init(&t.w, c, f->dtype, 1, t.n * block, scales);
    op_activations(c, t.x, t.n * block / 32, scales);
    op_shape(c, "%s, blocks %d", ifn_dtype_name(f->dtype), (int)t.n);
    return t;
}

static void check(op_case *c, const dot_format *f, row *t, op_scales scales)
{
    const float got = f->dot(t->w.tensor.data, t->x, t->w.tensor.shape[1] / 32);
    op_expect_dot(c, &t->w, 0, t->x, NULL, scales, got);
    op_weights_fini(&t->w);
    op_end(c);
}

static void a_block_worked_out_by_hand(void **state)
{
    const dot_format *const f = *state;
    const int64_t n = ifn_dtype_block_elements(f->dtype) / 32;
    const float got = f->dot(f->block, f->x, n);
    assert_that(got == f->product, "got %.9g, expected %.9g", (double)got, (double)f->product);
}

static void sums_are_within_their_bound(void **state)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        row t = build(&c, *state, seed, OP_SCALES_ANY);
        check(&c, *state, &t, OP_SCALES_ANY);
    }
}

static void sums_of_integers_are_exact(void **state)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        op_case c;
        row t = build(&c, *state, seed, OP_SCALES_ONE);
        check(&c, *state, &t, OP_SCALES_ONE);
    }
}

/* Only one block of activations is not zero, and its codes have one sign, so that a scale that lost bits shows
 * (numerics 7.3). */
static void each_block_alone_shows_its_scales(void **state)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        row t = build(&c, *state, seed, OP_SCALES_ANY);
        const int64_t n = t.w.tensor.shape[1] / 32, only = op_below(&c, n);
        for (int64_t i = 0; i < n; i++) {
            t.x[i].s = 0;
            for (int j = 0; j < 32; j++) {
                t.x[i].qs[j] = i == only ? (int8_t)abs(t.x[i].qs[j]) : 0;
                t.x[i].s += t.x[i].qs[j];
            }
        }
        check(&c, *state, &t, OP_SCALES_ANY);
    }
}

/* All bytes of the weights are equal and all activations are +127 or -127: sums in narrow integers would saturate. */
static void codes_at_the_extremes_do_not_saturate(void **state)
{
    const dot_format *const f = *state;
    static const unsigned char bytes[] = {0x00, 0xff, 0x80, 0x7f, 0x0f, 0xf0, 0x88, 0x77};
    for (size_t i = 0; i < 2 * N_OF(bytes); i++) {
        op_case c;
        unsigned char block[BLOCK_BYTES];
        row t = {.n = 1};
        op_begin(&c, IFN_OP_LINEAR_Q8, i);
        op_shape(&c, "%s, bytes %02x", ifn_dtype_name(f->dtype), (unsigned)bytes[i / 2]);
        memset(block, bytes[i / 2], sizeof block);
        op_set_scales(f->dtype, block, 0x3c00, 0);
        op_weights_init_with(&t.w, &c, f->dtype, 1, ifn_dtype_block_elements(f->dtype), block);
        for (int b = 0; b < 8; b++) {
            t.x[b] = (ifn_block_q8_32f){.d = b == 0 ? 1.0f : 0.0f};
            memset(t.x[b].qs, i % 2 ? 127 : -127, 32);
            t.x[b].s = i % 2 ? 32 * 127 : -32 * 127;
        }
        check(&c, f, &t, OP_SCALES_ONE);
    }
}

static void a_nan_scale_shows_even_where_all_codes_are_zero(void **state)
{
    const dot_format *const f = *state;
    for (int which = 0; which < 1 + op_has_minimum(f->dtype); which++) {
        unsigned char block[BLOCK_BYTES] = {0};
        const ifn_block_q8_32f x[8] = {{.d = 0.0f}};
        op_set_scales(f->dtype, block, which == 0 ? 0x7e00 : 0, which == 1 ? 0x7e00 : 0);
        assert_true(isnan(f->dot(block, x, ifn_dtype_block_elements(f->dtype) / 32)));
    }
}

static void weights_may_stand_at_any_address(void **state)
{
    const dot_format *const f = *state;
    unsigned char storage[BLOCK_BYTES + 4];
    for (size_t offset = 0; offset < 4; offset++) {
        memcpy(storage + offset, f->block, ifn_dtype_block_bytes(f->dtype));
        const int64_t n = ifn_dtype_block_elements(f->dtype) / 32;
        assert_true(f->dot(storage + offset, f->x, n) == f->product);
    }
}

int dot_test(const dot_format *format)
{
    dot_format copy = *format;
#define WITH_FORMAT(name) cmocka_unit_test_prestate(name, &copy)
    const struct CMUnitTest tests[] = {
        WITH_FORMAT(a_block_worked_out_by_hand),
        WITH_FORMAT(sums_are_within_their_bound),
        WITH_FORMAT(sums_of_integers_are_exact),
        WITH_FORMAT(each_block_alone_shows_its_scales),
        WITH_FORMAT(codes_at_the_extremes_do_not_saturate),
        WITH_FORMAT(a_nan_scale_shows_even_where_all_codes_are_zero),
        WITH_FORMAT(weights_may_stand_at_any_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
