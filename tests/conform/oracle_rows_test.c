#include <math.h>
#include <string.h>

#include "blocks.h"
#include "fuzz.h"
#include "gen.h"

static const ifn_dtype dtypes[] = {IFN_DTYPE_F32,  IFN_DTYPE_F16,   IFN_DTYPE_BF16, IFN_DTYPE_Q8_0,
                                   IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1,  IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1,
                                   IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K,  IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K,
                                   IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_32F};

static int64_t cols_for(fuzz *f, ifn_dtype dtype)
{
    const int64_t block = ifn_dtype_block_elements(dtype);
    return block == 1 ? fuzz_size(f, 0, 70) : block * fuzz_size(f, 0, 3);
}

TEST(honest_copies_in_pass)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_COPY_IN);
    while (fuzz_next(&f, 200)) {
        f.c.dim[0] = fuzz_size(&f, 0, 200);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_decoders_pass)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_DEQUANTIZE_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dtype = dtypes[fuzz_size(&f, 0, 13)];
        f.c.dim[0] = fuzz_size(&f, 0, 3);
        f.c.dim[1] = cols_for(&f, f.c.dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_gathers_pass)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_GATHER_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dtype = dtypes[fuzz_size(&f, 0, 12)];
        f.c.dim[0] = fuzz_size(&f, 0, 5);
        f.c.dim[1] = fuzz_size(&f, 0, 7);
        f.c.dim[2] = cols_for(&f, f.c.dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_quantizers_pass)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_QUANTIZE_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = dtypes[fuzz_size(&f, 0, 13)];
        f.c.dim[0] = fuzz_size(&f, 0, 3);
        f.c.dim[1] = cols_for(&f, f.c.out_dtype);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_stores_pass)
{
    static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    fuzz f;
    fuzz_open(&f, IFN_OP_KV_STORE);
    while (fuzz_next(&f, 1000)) {
        f.c.dtype = caches[fuzz_size(&f, 0, 2)];
        const int64_t head_dim =
            f.c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(&f, 0, 3) : fuzz_size(&f, 0, 40);
        const int64_t dims[] = {fuzz_size(&f, 0, 4), fuzz_size(&f, 0, 5), fuzz_size(&f, 0, 3),
                                fuzz_size(&f, 0, 3), head_dim};
        memcpy(f.c.dim, dims, sizeof dims);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

/* --- closed forms --- */

static void close_by_hand(fuzz *f)
{
    fuzz_end(f);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

static const conform_truth *truth_of(fuzz *f, const char *name)
{
    const conform_declared strict = {0};
    f->module->truth(&f->c, &f->l, f->data, &strict, &f->pool, f->truth);
    return &f->truth[conform_tensor_index(&f->l, name)];
}

/* A row of the table holds two blocks of Q4_0; element 16 is the high nibble of byte 0. */
TEST(gathered_rows_are_decoded)
{
    const int64_t dims[] = {2, 3, 32};
    fuzz f;
    fuzz_open(&f, IFN_OP_GATHER_ROWS);
    f.c = (conform_case){.op = IFN_OP_GATHER_ROWS, .dtype = IFN_DTYPE_Q4_0, .tier = TIER_T1};
    f.c.family = FAMILY_NORMAL;
    memcpy(f.c.dim, dims, sizeof dims);
    assert_true(fuzz_begin(&f));
    ifn_block_q4_0 *table = f.data[0];
    table[2] = (ifn_block_q4_0){.d = 0x4000, .qs = {0x9a}};
    memcpy(f.data[1], (int32_t[]){0, 2}, 8);
    const conform_truth *t = truth_of(&f, "out");
    assert_true(t->want[32] == 4 && t->want[32 + 16] == 2 && t->want[32 + 1] == -16);
    close_by_hand(&f);
}

TEST(a_stored_row_leaves_its_neighbours)
{
    const int64_t dims[] = {1, 1, 1, 2, 1};
    fuzz f;
    fuzz_open(&f, IFN_OP_KV_STORE);
    f.c = (conform_case){.op = IFN_OP_KV_STORE, .dtype = IFN_DTYPE_F16, .tier = TIER_T1};
    f.c.family = FAMILY_NORMAL;
    memcpy(f.c.dim, dims, sizeof dims);
    assert_true(fuzz_begin(&f));
    memcpy(fuzz_floats(&f, "v"), (float[]){1, NAN}, 8);
    memcpy(f.data[3], "abcdefghijkl", 12);
    const conform_truth *t = truth_of(&f, "v_cache");
    assert_memory_equal(t->raw,
                        "ab\0\x3c"
                        "efgh",
                        8);
    assert_memory_equal(t->raw + 10, "kl", 2);
    assert_memory_equal(t->raw_mask + 6, "\xff\xff\0\x7e\xff\xff", 6);
    close_by_hand(&f);
}

/* Every group runs from -1 to 2 in steps that Q4_K represents exactly, except for one element 1/4 step away from its
 * code: the plain fit of numerics 8.4 has no other error. */
TEST(the_error_of_the_plain_fit_bounds_a_search)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_QUANTIZE_ROWS);
    f.c = (conform_case){.op = IFN_OP_QUANTIZE_ROWS, .out_dtype = IFN_DTYPE_Q4_K, .tier = TIER_T1};
    f.c.family = FAMILY_POSITIVE;
    f.c.dim[0] = 1;
    f.c.dim[1] = 256;
    assert_true(fuzz_begin(&f));
    float *x = fuzz_floats(&f, "x");
    /* d = 1/16 and dmin = 1/8, both exact: step 63/16, minimum 63/8 = 2 steps */
    for (int i = 0; i < 256; i++)
        x[i] = (float)(i % 16 - 2) * 63.0f / 16.0f;
    x[5] += 63.0f / 64.0f;
    const conform_truth *t = truth_of(&f, "out");
    assert_true(t->class == CLASS_QUALITY);
    double squares = 0; /* squared error from rounding d and dmin to f16: numerics 8.4 */
    for (int i = 0; i < 256; i++)
        squares += pow((double)fabsf(x[i]) + 2 * 63.0 / 8.0, 2);
    assert_true(fabs(t->bound[0] - 2 * 63.0 / 64.0 - 0x1p-11 * sqrt(squares)) < 1e-5);
    close_by_hand(&f);
}

/* --- planted faults --- */

static void honestly(fuzz *f)
{
    fuzz_run(f);
}

static unsigned char *out_of(fuzz *f)
{
    return f->data[conform_tensor_index(&f->l, "out")];
}

static void choose_quantizer(fuzz *f)
{
    static const ifn_dtype some[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0, IFN_DTYPE_Q4_1,
                                     IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1, IFN_DTYPE_Q8_32F};
    f->c.out_dtype = some[f->n % N_OF(some)];
    f->c.dim[0] = 4;
    f->c.dim[1] = 256;
}

static void choose_k_quantizer(fuzz *f)
{
    static const ifn_dtype some[] = {IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K,
                                     IFN_DTYPE_Q6_K};
    f->c.out_dtype = some[f->n % N_OF(some)];
    f->c.dim[0] = 4;
    f->c.dim[1] = 256;
}

/* Half codes, rounded the wrong way: to even in weights, away from zero in activations. Only these blocks, which
 * have no offset, show it so clearly. */
static void choose_ties(fuzz *f)
{
    f->c.out_dtype = f->n % 2 ? IFN_DTYPE_Q8_0 : IFN_DTYPE_Q8_32F;
    f->c.dim[0] = 4;
    f->c.dim[1] = 256;
}

static void round_ties_the_other_way(fuzz *f)
{
    const float *x = fuzz_floats(f, "x");
    fuzz_run(f);
    for (int b = 0; b < 32; b++) {
        float largest = 0;
        for (int i = 0; i < 32; i++)
            largest = fmaxf(largest, fabsf(x[32 * b + i]));
        for (int i = 0; i < 32; i++) {
            const float scaled = x[32 * b + i] * (127.0f / largest);
            if (f->c.out_dtype == IFN_DTYPE_Q8_0)
                ((ifn_block_q8_0 *)(void *)out_of(f))[b].qs[i] = (int8_t)rintf(scaled);
            else
                ((ifn_block_q8_32f *)(void *)out_of(f))[b].qs[i] = (int8_t)roundf(scaled);
        }
    }
}

/* Reverses the code bytes of each block, so that weights have the codes of others. */
static void reverse_the_codes(fuzz *f)
{
    const size_t bytes = ifn_dtype_block_bytes(f->c.out_dtype);
    const conform_limits l = conform_limits_of(f->c.out_dtype);
    fuzz_run(f);
    for (int r = 0; r < 4; r++) {
        unsigned char *block = out_of(f) + (size_t)r * bytes, reversed[256] = {0};
        for (int i = 0; i < 256; i++)
            conform_put_code(f->c.out_dtype, reversed, i,
                             conform_code_at(f->c.out_dtype, block, 255 - i).c);
        for (int i = 0; i < 256; i += l.group) {
            const conform_code code = conform_code_at(f->c.out_dtype, block, i);
            conform_put_scale(f->c.out_dtype, reversed, i, code.sc, l.m_high ? code.m : 0);
        }
        const conform_code code = conform_code_at(f->c.out_dtype, block, 0);
        conform_put_units(f->c.out_dtype, reversed, conform_f16_nearest(code.d),
                          l.has_min ? conform_f16_nearest(code.dmin) : 0);
        memcpy(block, reversed, bytes);
    }
}

static void flip_a_bit(fuzz *f)
{
    fuzz_run(f);
    out_of(f)[conform_hash(f->c.seed, "flip", 0) % f->l.t[1].bytes] ^= 1;
}

static void choose_decoder(fuzz *f)
{
    f->c.dtype = dtypes[f->n % 13];
    f->c.dim[0] = 4;
    f->c.dim[1] = 256;
}

/* Takes weights 2i and 2i + 1 from one byte, as some descriptions of Q4_0 say, though no file has that order. */
static void interleave(fuzz *f)
{
    float *out = (float *)(void *)out_of(f), row[256];
    fuzz_run(f);
    for (int r = 0; r < 4; r++) {
        memcpy(row, out + 256 * r, sizeof row);
        for (int i = 0; i < 256; i++)
            out[256 * r + i] = row[i / 32 * 32 + i % 32 / 2 + 16 * (i % 2)];
    }
}

static void choose_gather(fuzz *f)
{
    f->c.dtype = dtypes[f->n % 13];
    f->c.dim[0] = 5;
    f->c.dim[1] = 9;
    f->c.dim[2] = 256;
}

static void gather_the_next_row(fuzz *f)
{
    int32_t *ids = f->data[1];
    for (int i = 0; i < 5; i++)
        ids[i] = (ids[i] + 1) % 9;
    fuzz_run(f);
}

static void choose_store(fuzz *f)
{
    const int64_t dims[] = {2, 3, 2, 2, 32};
    f->c.dtype = f->n % 2 ? IFN_DTYPE_F16 : IFN_DTYPE_Q8_0;
    memcpy(f->c.dim, dims, sizeof dims);
}

static void store_one_row_late(fuzz *f)
{
    f->call.args.kv_store.first_pos++;
    fuzz_run(f);
}

static void store_k_as_v(fuzz *f)
{
    f->call.args.kv_store.v = f->call.args.kv_store.k;
    fuzz_run(f);
}

static void write_past_the_rows(fuzz *f)
{
    const int cache = conform_tensor_index(&f->l, "v_cache");
    fuzz_run(f);
    ((unsigned char *)f->data[cache])[f->l.t[cache].bytes - 1] ^= 1;
}

static int caught(ifn_op op, conform_family family, void (*choose)(fuzz *), void (*fault)(fuzz *))
{
    return fuzz_caught(op, TIER_T1, family, 60, choose, fault);
}

TEST(wrong_quantizers_are_caught)
{
    const ifn_op op = IFN_OP_QUANTIZE_ROWS;
    assert_int_equal(caught(op, FAMILY_NORMAL, choose_quantizer, honestly), 0);
    assert_int_equal(caught(op, FAMILY_NORMAL, choose_quantizer, flip_a_bit), 100);
    assert_int_equal(caught(op, FAMILY_TIES, choose_ties, round_ties_the_other_way), 100);
}

TEST(wrong_searches_are_caught)
{
    const ifn_op op = IFN_OP_QUANTIZE_ROWS;
    assert_int_equal(caught(op, FAMILY_NORMAL, choose_k_quantizer, honestly), 0);
    assert_int_equal(caught(op, FAMILY_NORMAL, choose_k_quantizer, reverse_the_codes), 100);
}

TEST(wrong_decoders_and_gathers_are_caught)
{
    assert_int_equal(caught(IFN_OP_DEQUANTIZE_ROWS, FAMILY_NORMAL, choose_decoder, interleave),
                     100);
    /* a flipped bit of a NaN does not count */
    assert_true(caught(IFN_OP_DEQUANTIZE_ROWS, FAMILY_NORMAL, choose_decoder, flip_a_bit) >= 90);
    assert_int_equal(caught(IFN_OP_GATHER_ROWS, FAMILY_NORMAL, choose_gather, gather_the_next_row),
                     100);
}

TEST(wrong_stores_are_caught)
{
    void (*const faults[])(fuzz *) = {store_one_row_late, store_k_as_v, write_past_the_rows};
    for (size_t i = 0; i < N_OF(faults); i++)
        assert_int_equal(caught(IFN_OP_KV_STORE, FAMILY_NORMAL, choose_store, faults[i]), 100);
}
