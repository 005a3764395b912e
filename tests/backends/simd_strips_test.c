/*
 * linear_q8 of many rows with tile registers, which few processors have: the test emulates them, and uses the vectors
 * that every processor of this kind has. Strips must have the bits of tiles, whatever the format, the rows and the
 * part.
 */
#include <stdlib.h>
#include <string.h>

#include "block_kernels.h"
#include "op_weights.h"
#include "tile_registers.h"

struct emulated_tiles emulated_tiles;

/* A product, and its weight as the emulated level packs it. */
typedef struct product {
    ifn_tensor w;
    ifn_simd_weight packed;
    ifn_block_q8_32f *x;
    int64_t rows, n, k;
    float *bias;
    void *blocks, *image;
} product;

static product a_product(op_case *c, ifn_dtype dtype, int64_t rows, int64_t n, int64_t k)
{
    const size_t block = ifn_dtype_block_bytes(dtype);
    const int64_t n_blocks = n * k / ifn_dtype_block_elements(dtype);
    product p = {.rows = rows, .n = n, .k = k, .blocks = malloc((size_t)n_blocks * block)};
    for (int64_t i = 0; i < n_blocks; i++) {
        unsigned char *const at = (unsigned char *)p.blocks + (size_t)i * block;
        for (size_t j = 0; j < block; j++)
            at[j] = (unsigned char)op_below(c, 256);
        op_set_scales(dtype, at, (uint16_t)(0x2000 + op_below(c, 4096)),
                      (uint16_t)(0x2000 + op_below(c, 4096)));
    }
    p.w = (ifn_tensor){"w", p.blocks, dtype, 2, {n, k}};
    p.x = malloc((size_t)(rows * k / 32) * sizeof *p.x);
    op_activations(c, p.x, rows * k / 32, OP_SCALES_ANY);
    p.bias = malloc((size_t)n * sizeof *p.bias);
    for (int64_t i = 0; i < n; i++)
        p.bias[i] = (float)op_below(c, 1000);
    const ifn_simd_packing *const packing = &IFN_KERNEL(q8_packing);
    p.image = aligned_alloc(64, (packing->bytes(&p.w, IFN_USE_LINEAR_Q8) + 63) / 64 * 64);
    packing->pack(&p.w, p.image);
    p.packed = (ifn_simd_weight){.linear_q8 = p.image, .packing = packing, .rows = p.image};
    return p;
}

static void free_product(product *p)
{
    free(p->blocks);
    free(p->image);
    free(p->x);
    free(p->bias);
}

/* Computes features [begin, end) of all rows; scratch_bytes a multiple of 64, or 0. Returns the number of products of
 * tiles. */
static int64_t run(const product *p, bool is_packed, size_t scratch_bytes, int64_t begin,
                   int64_t end, float *out)
{
    const int64_t before = emulated_tiles.n_products;
    ifn_linear_q8_args a = IFN_ARGS(linear_q8, .part_begin = begin, .part_end = end, .x = p->x,
                                    .rows = p->rows, .k = p->k, .x_stride = p->k / 32, .n_w = 1,
                                    .w = {&p->w}, .packed = {is_packed ? &p->packed : NULL},
                                    .out = {out}, .bias = {p->bias}, .out_stride = {p->n});
    a.call.scratch = scratch_bytes ? aligned_alloc(64, scratch_bytes) : NULL;
    a.call.scratch_bytes = scratch_bytes;
    if (scratch_bytes)
        memset(a.call.scratch, 0xff, scratch_bytes);
    assert_int_equal(IFN_KERNEL(linear_q8)(NULL, &a), IFN_OK);
    assert_int_equal(emulated_tiles.depth, 0);
    free(a.call.scratch);
    return emulated_tiles.n_products - before;
}

static size_t asked_for(const product *p)
{
    const ifn_limits limits = {
        .limits_bytes = sizeof limits, .rows = p->rows, .max_pos = 1, .k = p->k, .n = p->n};
    return (IFN_KERNEL(linear_q8_scratch_bytes)(&limits) + 63) / 64 * 64;
}

static void expect_equal(const product *p, const char *what, const float *got, const float *want)
{
    for (int64_t i = 0; i < p->rows * p->n; i++)
        assert_that(memcmp(&got[i], &want[i], sizeof *got) == 0,
                    "%s, %s: row %d of %d, feature %d of %d, k %d: %a, expected %a",
                    ifn_dtype_name(p->w.dtype), what, (int)(i / p->n), (int)p->rows,
                    (int)(i % p->n), (int)p->n, (int)p->k, (double)got[i], (double)want[i]);
}

static void expect_the_bits_of_tiles(const product *p)
{
    const size_t bytes = (size_t)(p->rows * p->n) * sizeof(float);
    float *const want = malloc(bytes), *const got = malloc(bytes);
    assert_int_equal(run(p, false, 0, 0, 0, want), 0);
    memset(got, 0xff, bytes);
    assert_true(run(p, true, asked_for(p), 0, 0, got) > 0);
    expect_equal(p, "packed", got, want);
    memset(got, 0xff, bytes);
    assert_true(run(p, false, asked_for(p), 0, 0, got) > 0);
    expect_equal(p, "raw", got, want);
    memset(got, 0xff, bytes);
    const size_t one = (size_t)p->k / 32 * sizeof(ifn_q8_strip_block);
    assert_true(run(p, true, one, 0, 0, got) > 0);
    expect_equal(p, "strip by strip", got, want);
    assert_int_equal(run(p, true, one - 64, 0, 0, got), 0); /* no room for one */
    memset(got, 0xff, bytes);
    const int64_t cut = p->n / 3 + 1;
    run(p, true, asked_for(p), 0, cut, got);
    if (cut < p->n)
        run(p, true, asked_for(p), cut, p->n, got);
    expect_equal(p, "in two parts", got, want);
    free(got);
    free(want);
}

TEST(strips_give_the_bits_of_tiles)
{
    static const int64_t rows[] = {25, 31, 32, 33, 48, 57}, ns[] = {1, 7, 16, 35, 64},
                         blocks[] = {1, 2, 3, 4, 5, 7, 17};
    for (uint64_t seed = 0; seed < 60; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR_Q8, seed);
        const ifn_dtype dtype = (ifn_dtype)(IFN_DTYPE_Q8_0 + seed % 10);
        product p =
            a_product(&c, dtype, rows[op_below(&c, N_OF(rows))], ns[op_below(&c, N_OF(ns))],
                      ifn_dtype_block_elements(dtype) * blocks[op_below(&c, (int)N_OF(blocks))]);
        expect_the_bits_of_tiles(&p);
        free_product(&p);
    }
}

/* More rows than one pass takes, and a few left over, which take another path. */
TEST(a_pass_follows_another)
{
    static const int64_t rows[] = {256, 257, 280, 281, 530};
    for (uint64_t i = 0; i < N_OF(rows); i++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR_Q8, i);
        product p = a_product(&c, IFN_DTYPE_Q4_0, rows[i], 19, 96);
        expect_the_bits_of_tiles(&p);
        free_product(&p);
    }
}

/* The products of tiles that one call takes. */
static int64_t products_of(ifn_dtype dtype, int64_t rows, int64_t n, int64_t k)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR_Q8, 0);
    product p = a_product(&c, dtype, rows, n, k);
    float *const out = malloc((size_t)(p.rows * p.n) * sizeof *out);
    const int64_t n_products = run(&p, true, asked_for(&p), 0, 0, out);
    free(out);
    free_product(&p);
    return n_products;
}

/* Tile registers are configured once per pass, since doing so for each tile would be slow. */
TEST(tile_registers_are_set_up_once_for_a_pass)
{
    const int64_t before = emulated_tiles.n_opened;
    assert_true(products_of(IFN_DTYPE_Q6_K, 40, 64, 512) > 0);
    assert_int_equal(emulated_tiles.n_opened - before, 1);
}

TEST(few_rows_take_no_tiles)
{
    assert_int_equal(products_of(IFN_DTYPE_Q8_0, 24, 33, 64), 0);
}
