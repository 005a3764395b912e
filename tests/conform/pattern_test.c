#include "pattern.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { ROWS = 6, COLS = 20, N = ROWS * COLS };

static const conform_tensor matrix = {.name = "out",
                                      .element = ELEMENT_F32,
                                      .rows = ROWS,
                                      .cols = COLS,
                                      .stride = COLS,
                                      .bytes = sizeof(float) * N};
static float got[N];
static double want[N], bound[N];
static unsigned char marks[N];
static const conform_truth truth = {.class = CLASS_BOUND, .want = want, .bound = bound};

static int start(void **state)
{
    (void)state;
    memset(marks, 0, sizeof marks);
    for (int i = 0; i < N; i++) {
        want[i] = (i * 37 % 101) - 50;
        got[i] = (float)want[i];
        bound[i] = 0.25;
    }
    return 0;
}

static void mark(int row, int col)
{
    marks[row * COLS + col] = 1;
    got[row * COLS + col] = 1000.0f + (float)(row * col);
}

static void expect(const conform_borders *borders, const char *sentence)
{
    char text[200];
    const conform_wrong w = {&matrix, marks, got, &truth, borders};
    conform_describe_wrong(&w, text, sizeof text);
    assert_that(strncmp(text, sentence, strlen(sentence)) == 0, "'%s', expected '%s'", text,
                sentence);
}

static void nothing_wrong_is_said(void **state)
{
    (void)state;
    expect(NULL, "no wrong element");
}

/* All NaNs are alike, so any distance between two of them would look like a shift. */
static void a_nan_that_spread_is_not_a_shift(void **state)
{
    (void)state;
    for (int i = 44; i < 48; i++) {
        want[i] = (double)NAN;
        got[i] = got[i - 4] = NAN;
        marks[i - 4] = 1;
    }
    expect(NULL, "NaN where a number belongs: 4 of 120 wrong, rows 2..2 of 6, columns 0..3 of 20");
    memset(marks, 0, sizeof marks);
    marks[46] = 1;
    got[46] = 0;
    expect(NULL, "a number where NaN belongs: 1 of 120 wrong");
}

/* The bounds are wider than the differences between the values, so a shift cannot be told from correct values. */
static void what_bounds_do_not_tell_apart_is_not_shifted(void **state)
{
    (void)state;
    for (int i = 40; i < 60; i++) {
        want[i] = 50 + 0.5 * i;
        bound[i] = 3;
    }
    for (int i = 42; i < 52; i++) {
        marks[i] = 1;
        got[i] = (float)want[i] + 3.25F;
    }
    expect(NULL, "one row: 10 of 120 wrong");
}

static void two_columns_are_no_lane(void **state)
{
    (void)state;
    mark(1, 3);
    mark(4, 10);
    expect(NULL, "scattered: 2 of 120 wrong, rows 1..4 of 6, columns 3..10 of 20");
}

static void all_of_them(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        mark(i / COLS, i % COLS);
    expect(NULL, "all: 120 of 120 wrong, rows 0..5 of 6, columns 0..19 of 20");
}

static void the_tail_of_the_columns(void **state)
{
    (void)state;
    for (int r = 0; r < ROWS; r++)
        for (int c = 16; c < COLS; c++)
            mark(r, c);
    expect(NULL, "tail of the columns: 24 of 120 wrong, rows 0..5 of 6, columns 16..19 of 20");
}

static void the_last_rows(void **state)
{
    (void)state;
    for (int i = 4 * COLS; i < N; i++)
        mark(i / COLS, i % COLS);
    expect(NULL, "last rows: 40 of 120 wrong, rows 4..5 of 6, columns 0..19 of 20");
}

static void one_row_one_column_one_element(void **state)
{
    (void)state;
    mark(2, 3);
    expect(NULL, "one element: 1 of 120 wrong, rows 2..2 of 6, columns 3..3 of 20");
    mark(2, 7);
    expect(NULL, "one row: 2 of 120 wrong, rows 2..2 of 6, columns 3..7 of 20");
    start(NULL);
    mark(1, 3);
    mark(4, 3);
    expect(NULL, "one column: 2 of 120 wrong, rows 1..4 of 6, columns 3..3 of 20");
}

static void one_lane(void **state)
{
    (void)state;
    for (int r = 1; r < 4; r++)
        for (int c = 3; c < COLS; c += 8)
            mark(r, c);
    expect(NULL, "one lane: 9 of 120 wrong, rows 1..3 of 6, columns 3..19 of 20, every 8");
}

static void a_block(void **state)
{
    (void)state;
    for (int r = 1; r < 3; r++)
        for (int c = 4; c < 8; c++)
            mark(r, c);
    expect(NULL, "a block: 8 of 120 wrong, rows 1..2 of 6, columns 4..7 of 20");
}

static void scattered_over_the_tensor(void **state)
{
    (void)state;
    mark(1, 2);
    mark(3, 5);
    mark(4, 9);
    expect(NULL, "scattered: 3 of 120 wrong");
}

/* Two parts meet at rows 2 and 3; without a cut the same rows are no pattern. */
static void the_border_of_two_parts(void **state)
{
    (void)state;
    const conform_borders rows = {.n_rows = 1, .rows = {3}}, cols = {.n_cols = 2, .cols = {4, 12}};
    mark(2, 5);
    mark(3, 9);
    mark(3, 12);
    expect(&rows, "border: 3 of 120 wrong, rows 2..3 of 6");
    expect(&cols, "scattered");
    expect(NULL, "scattered");
    start(NULL);
    mark(0, 12);
    mark(5, 11);
    expect(&cols, "border: 2 of 120 wrong, rows 0..5 of 6, columns 11..12 of 20");
}

static void a_transposed_result(void **state)
{
    (void)state;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            got[c * ROWS + r] = (float)want[r * COLS + c];
    for (int i = 0; i < N; i++)
        marks[i] = (double)got[i] != want[i];
    expect(NULL, "transposed: ");
    got[7] += 1;
    char text[200];
    const conform_wrong w = {&matrix, marks, got, &truth, NULL};
    conform_describe_wrong(&w, text, sizeof text);
    assert_null(strstr(text, "transposed"));
}

static void a_result_that_is_shifted(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        got[i] = i + 3 < N ? (float)want[i + 3] : 1000.0f;
        marks[i] = (double)got[i] != want[i];
    }
    expect(NULL, "shifted by 3: ");
    for (int i = 0; i < N; i++) {
        got[i] = i >= COLS ? (float)want[i - COLS] : 1000.0f;
        marks[i] = (double)got[i] != want[i];
    }
    expect(NULL, "shifted by -20: ");
}

/* A result that is the same everywhere equals the value of any other place, so it is no shift. */
static void constants_are_not_shifted(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        want[i] = i < 60 ? 1 : 2;
        got[i] = 2;
        marks[i] = i < 60;
    }
    expect(NULL, "a block");
}

static void gaps_between_rows_are_stepped_over(void **state)
{
    (void)state;
    float wide[ROWS * (COLS + 4)];
    char text[200];
    conform_tensor t = matrix;
    t.stride = COLS + 4;
    memset(wide, 0, sizeof wide);
    for (int i = 0; i < N; i++) {
        wide[i / COLS * t.stride + i % COLS] = i + 1 < N ? (float)want[i + 1] : 0;
        marks[i] = i + 1 < N;
    }
    const conform_wrong w = {&t, marks, wide, &truth, NULL};
    conform_describe_wrong(&w, text, sizeof text);
    assert_non_null(strstr(text, "shifted by 1: "));
}

#define T(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(nothing_wrong_is_said),
        T(all_of_them),
        T(the_tail_of_the_columns),
        T(the_last_rows),
        T(one_row_one_column_one_element),
        T(one_lane),
        T(a_block),
        T(scattered_over_the_tensor),
        T(the_border_of_two_parts),
        T(a_transposed_result),
        T(a_result_that_is_shifted),
        T(constants_are_not_shifted),
        T(a_nan_that_spread_is_not_a_shift),
        T(what_bounds_do_not_tell_apart_is_not_shifted),
        T(two_columns_are_no_lane),
        T(gaps_between_rows_are_stepped_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
