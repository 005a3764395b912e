#include "attention_needle.h"

#include <math.h>
#include <string.h>

#include "blocks.h"
#include "fuzz.h"

static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};

/* Draws heads with at least as many components as a position has bits. */
static void choose(fuzz *f)
{
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    const int64_t first_pos = FUZZ_PICK(f, 0, 1, 7, 100, 255, 256, 511, 700);
    const int64_t head_dim =
        f->c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(f, 1, 2) : fuzz_size(f, 10, 40);
    const int64_t dims[] = {fuzz_size(f, 1, 4),
                            first_pos,
                            fuzz_size(f, 0, 3),
                            FUZZ_PICK(f, 1, 2, 3),
                            fuzz_size(f, 1, 4),
                            head_dim,
                            0};
    memcpy(f->c.dim, dims, sizeof dims);
}

static double key_at(const fuzz *f, int64_t row, int64_t component)
{
    const int64_t head_dim = f->c.dim[ATTENTION_HEAD_DIM];
    const unsigned char *const keys = f->data[1];
    return conform_value_at(
        f->c.dtype, keys + (size_t)row * ifn_dtype_row_bytes(f->c.dtype, head_dim), component);
}

static double score(const fuzz *f, int64_t query, int64_t key_row)
{
    const int64_t head_dim = f->c.dim[ATTENTION_HEAD_DIM];
    const float *const q = f->data[0];
    double sum = 0;
    for (int64_t j = 0; j < head_dim; j++)
        sum += (double)q[query * head_dim + j] * key_at(f, key_row, j);
    return sum;
}

/* Checks what numerics 7.7 says of the keys, key by key. */
static void expect_needle(const fuzz *f, int64_t row, int64_t head)
{
    const conform_case *const c = &f->c;
    const int64_t n_heads = c->dim[ATTENTION_N_KV_HEADS] * c->dim[ATTENTION_GROUP];
    const int64_t first_row = head / c->dim[ATTENTION_GROUP] * conform_attention_max_pos(c);
    const int64_t at = conform_needle_position(c, row, head), query = row * n_heads + head;
    const double most = 256.0 * (double)c->dim[ATTENTION_HEAD_DIM];
    assert_in_range(at, 0, c->dim[ATTENTION_FIRST_POS] + row);
    for (int64_t pos = 0; pos <= c->dim[ATTENTION_FIRST_POS] + row; pos++) {
        const double s = score(f, query, first_row + pos);
        assert_that(pos == at ? s == most : s <= most - 512, "key %lld of a query at %lld: %g",
                    (long long)pos, (long long)at, s);
    }
}

TEST(one_key_stands_out_by_far)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_ATTENTION);
    while (fuzz_next(&f, 200)) {
        f.c.tier = TIER_T0;
        f.c.family = FAMILY_NEEDLE;
        choose(&f);
        assert_true(conform_needle_is_unique(&f.c));
        assert_true(fuzz_begin(&f));
        const int64_t n_heads = f.c.dim[ATTENTION_N_KV_HEADS] * f.c.dim[ATTENTION_GROUP];
        for (int64_t i = 0; i < f.c.dim[ATTENTION_ROWS] * n_heads; i++)
            expect_needle(&f, i / n_heads, i % n_heads);
        fuzz_end(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

/* Keys with fewer components than a position has bits may be equal, so the truth computes with all of them. */
TEST(short_heads_are_judged_as_any)
{
    fuzz f;
    int n = 0;
    fuzz_open(&f, IFN_OP_ATTENTION);
    while (fuzz_next(&f, 100)) {
        const int64_t dims[] = {2, 300, 1, 1, 2, fuzz_size(&f, 1, 8), 0};
        f.c.tier = TIER_T0;
        f.c.family = FAMILY_NEEDLE;
        memcpy(f.c.dim, dims, sizeof dims);
        n += !conform_needle_is_unique(&f.c);
        fuzz_honest(&f);
    }
    assert_int_equal(n, 100);
    fuzz_close(&f);
}

/* --- faults of long contexts, by borders of 256 --- */

static void choose_long(fuzz *f)
{
    const int64_t dims[] = {2, fuzz_size(f, 520, 900), 0, 2, 4, 32, 0};
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    memcpy(f->c.dim, dims, sizeof dims);
}

/* Copies into every row of a cache from position `first` on the row that is `back` positions earlier. */
static void move_rows(fuzz *f, int tensor, int64_t first, int64_t back)
{
    const int64_t max_pos = conform_attention_max_pos(&f->c);
    const size_t bytes = ifn_dtype_row_bytes(f->c.dtype, f->c.dim[ATTENTION_HEAD_DIM]);
    unsigned char *const rows = f->data[tensor];
    for (int64_t r = f->l.t[tensor].rows; r-- > 0;)
        if (r % max_pos >= first)
            memcpy(rows + (size_t)r * bytes, rows + (size_t)(r - back) * bytes, bytes);
}

static void keys_by_a_short_index(fuzz *f)
{
    move_rows(f, 1, 512, 512);
    fuzz_run(f);
}

static void values_by_a_short_index(fuzz *f)
{
    move_rows(f, 2, 512, 512);
    fuzz_run(f);
}

static void few_tiles(fuzz *f)
{
    f->call.args.attention.first_pos = 500;
    fuzz_run(f);
}

TEST(faults_of_long_contexts_are_caught)
{
    void (*const faults[])(fuzz *) = {keys_by_a_short_index, values_by_a_short_index, few_tiles};
    for (size_t i = 0; i < N_OF(faults); i++)
        assert_int_equal(
            fuzz_caught(IFN_OP_ATTENTION, TIER_T0, FAMILY_NEEDLE, 20, choose_long, faults[i]), 100);
}
