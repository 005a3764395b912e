#include "attention_graded.h"

#include <math.h>
#include <string.h>

#include "attention_dims.h"
#include "blocks.h"
#include "fuzz.h"
#include "gen_graded.h"

static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};

static void choose(fuzz *f)
{
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    const int64_t head_dim =
        f->c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(f, 1, 2) : fuzz_size(f, 1, 40);
    const int64_t dims[] = {fuzz_size(f, 1, 3),
                            FUZZ_PICK(f, 0, 1, 40, 255, 300),
                            fuzz_size(f, 0, 3),
                            FUZZ_PICK(f, 1, 2),
                            fuzz_size(f, 1, 2),
                            head_dim,
                            0};
    memcpy(f->c.dim, dims, sizeof dims);
    f->c.tier = TIER_T1;
    f->c.family = FAMILY_GRADED;
}

static void choose_f32(fuzz *f)
{
    choose(f);
    f->c.dtype = IFN_DTYPE_F32;
    f->c.dim[ATTENTION_FIRST_POS] = 300;
}

static const unsigned char *row_of(const fuzz *f, int tensor, int64_t row)
{
    return (const unsigned char *)f->data[tensor] +
           (size_t)row * ifn_dtype_row_bytes(f->c.dtype, f->c.dim[ATTENTION_HEAD_DIM]);
}

static int grade_of(const fuzz *f, int64_t pos)
{
    static const int most[] = {36, 8, 16};
    const int64_t n = f->c.dim[ATTENTION_FIRST_POS] + f->c.dim[ATTENTION_ROWS];
    return conform_graded_key(&f->c, pos, n,
                              most[f->c.dtype == IFN_DTYPE_F32   ? 0
                                   : f->c.dtype == IFN_DTYPE_F16 ? 1
                                                                 : 2]);
}

/* Expects a key's score to be lower by grade * ln 2, and its values to be larger by 2^grade, which makes up for it. */
static void expect_grade(const fuzz *f, int64_t pos)
{
    const int64_t head_dim = f->c.dim[ATTENTION_HEAD_DIM];
    const double q = (double)((const float *)f->data[0])[0];
    const double scale = (double)conform_attention_scale(&f->c);
    const double lower = -scale * q * conform_value_at(f->c.dtype, row_of(f, 1, pos), 0);
    const int grade = grade_of(f, pos);
    double most = 0;
    for (int64_t i = 0; i < head_dim; i++)
        most = fmax(most, fabs(conform_value_at(f->c.dtype, row_of(f, 2, pos), i)));
    assert_that(fabs(lower - log(2.0) * grade) < 0.3, "%s: a score is lower by %g, expected %g",
                ifn_dtype_name(f->c.dtype), lower, log(2.0) * grade);
    assert_true(most <= 0x1p7 * ldexp(1, grade) && isfinite(most));
    assert_true(head_dim < 8 || most > 0x1p-6 * ldexp(1, grade));
}

TEST(weights_and_values_make_up_for_each_other)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_ATTENTION);
    while (fuzz_next(&f, 150)) {
        choose(&f);
        if (!fuzz_begin(&f))
            continue;
        const int64_t visible = f.c.dim[ATTENTION_FIRST_POS] + f.c.dim[ATTENTION_ROWS];
        for (int64_t pos = 0; pos < visible; pos++)
            expect_grade(&f, pos);
        fuzz_end(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

/* Zeroes the values of keys whose weight is less than 2^-24 of the largest: f32 has no bits for them in the sum. */
static void drop_the_light(fuzz *f)
{
    const int64_t head_dim = f->c.dim[ATTENTION_HEAD_DIM],
                  max_pos = conform_attention_max_pos(&f->c);
    const int64_t visible = f->c.dim[ATTENTION_FIRST_POS] + f->c.dim[ATTENTION_ROWS];
    float *const v = f->data[2];
    int least = 99;
    for (int64_t pos = 0; pos < visible; pos++)
        least = grade_of(f, pos) < least ? grade_of(f, pos) : least;
    for (int64_t i = 0; i < f->c.dim[ATTENTION_N_KV_HEADS] * visible * head_dim; i++) {
        const int64_t pos = i / head_dim % visible, kv_head = i / head_dim / visible;
        if (grade_of(f, pos) > least + 24)
            v[(kv_head * max_pos + pos) * head_dim + i % head_dim] = 0;
    }
    fuzz_run(f);
}

TEST(keys_without_weight_are_missed)
{
    assert_in_range(
        fuzz_caught(IFN_OP_ATTENTION, TIER_T1, FAMILY_GRADED, 60, choose_f32, drop_the_light), 30,
        100);
    assert_int_equal(
        fuzz_caught(IFN_OP_ATTENTION, TIER_T1, FAMILY_GRADED, 60, choose_f32, fuzz_run), 0);
}
