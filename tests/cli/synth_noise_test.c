#include "synth.h"

#include <math.h>
#include <string.h>

#include "test.h"

enum { COLS = 1000, ROWS = 100 };

TEST(the_noise_has_the_mean_and_spread_asked_for)
{
    const synth_noise noise = synth_noise_of(3, "blk.0.attn_q.weight", 2.0f, 0.5);
    double sum = 0, squares = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        float x[COLS];
        synth_fill_row(&noise, row, COLS, x);
        for (size_t i = 0; i < COLS; i++) {
            sum += (double)x[i];
            squares += ((double)x[i] - 2.0) * ((double)x[i] - 2.0);
        }
    }
    const double n = (double)ROWS * COLS;
    assert_true(fabs(sum / n - 2.0) < 5 * 0.5 / sqrt(n));
    assert_true(fabs(squares / n - 0.25) < 0.01 * 0.25);
}

static int differ(const synth_noise *a, int64_t row_a, const synth_noise *b, int64_t row_b)
{
    float x[COLS], y[COLS];
    synth_fill_row(a, row_a, COLS, x);
    synth_fill_row(b, row_b, COLS, y);
    int n = 0;
    for (size_t i = 0; i < COLS; i++)
        n += x[i] != y[i];
    return n;
}

TEST(seed_tensor_and_row_all_matter)
{
    const synth_noise a = synth_noise_of(1, "a", 0, 1), same = synth_noise_of(1, "a", 0, 1);
    const synth_noise seed = synth_noise_of(2, "a", 0, 1), name = synth_noise_of(1, "b", 0, 1);
    assert_int_equal(differ(&a, 0, &same, 0), 0);
    assert_true(differ(&a, 0, &seed, 0) > COLS * 9 / 10);
    assert_true(differ(&a, 0, &name, 0) > COLS * 9 / 10);
    assert_true(differ(&a, 0, &a, 1) > COLS * 9 / 10);
}
