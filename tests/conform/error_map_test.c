#include "error_map.h"

#include <math.h>
#include <string.h>

#include "test.h"

enum { MOST = 70 * 130 };

static conform_tensor tensor(int64_t rows, int64_t cols)
{
    return (conform_tensor){
        .name = "out", .element = ELEMENT_F32, .rows = rows, .cols = cols, .stride = cols};
}

TEST(a_small_tensor_has_a_letter_for_each_element)
{
    const conform_tensor t = tensor(2, 4);
    const float got[] = {0, 1.5f, 0, 3, 0, NAN, 33, 0};
    double want[8] = {0}, bound[8];
    unsigned char marks[8] = {0, 1, 0, 1, 0, 1, 1, 0}, skip[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < 8; i++)
        bound[i] = 1;
    const conform_truth truth = {.class = CLASS_BOUND, .want = want, .bound = bound, .skip = skip};
    const conform_borders borders = {.n_rows = 1, .rows = {1}, .n_cols = 2, .cols = {1, 3}};
    error_map m;
    error_map_draw(&m, &(conform_wrong){&t, marks, got, &truth, &borders});
    assert_string_equal(m.cells, ".a.b.zf ");
    assert_true(m.rows == 2 && m.cols == 4 && m.cell_rows == 1 && m.cell_cols == 1);
    assert_string_equal(m.row_cuts, "1");
    assert_string_equal(m.col_cuts, "1 3");
    assert_true(error_map_is_sound(&m));
}

/* 70 rows of 130 columns: a cell of the map covers three by three elements. */
TEST(a_cell_is_the_worst_of_its_elements)
{
    static float got[MOST];
    static double want[MOST], bound[MOST];
    static unsigned char marks[MOST];
    const conform_tensor t = tensor(70, 130);
    for (int i = 0; i < MOST; i++)
        bound[i] = 1;
    got[131] = 3;
    got[132] = 100;
    got[MOST - 1] = 5;
    marks[131] = marks[132] = marks[MOST - 1] = 1;
    const conform_truth truth = {.class = CLASS_BOUND, .want = want, .bound = bound};
    error_map m;
    error_map_draw(&m, &(conform_wrong){&t, marks, got, &truth, NULL});
    assert_true(m.cell_rows == 3 && m.cell_cols == 3);
    assert_true(error_map_width(&m) == 44 && error_map_height(&m) == 24);
    assert_int_equal(m.cells[0], 'g'); /* rows 0 to 2, columns 0 to 2 */
    assert_int_equal(m.cells[44 * 24 - 1], 'c');
    int n = 0;
    for (const char *c = m.cells; *c; c++)
        n += *c != '.';
    assert_int_equal(n, 2);
}

TEST(without_a_bound_wrong_is_all_there_is_to_say)
{
    const conform_tensor t = tensor(1, 3);
    const unsigned char marks[] = {0, 1, 0};
    error_map m;
    error_map_draw(&m, &(conform_wrong){.t = &t, .marks = marks});
    assert_string_equal(m.cells, ".z.");
}

TEST(a_map_that_lies_is_not_drawn)
{
    error_map m = {.rows = 2, .cols = 2, .cell_rows = 1, .cell_cols = 1, .cells = "...."};
    assert_true(error_map_is_sound(&m));
    m.cells[3] = '\0';
    assert_false(error_map_is_sound(&m));
    m = (error_map){.rows = 2, .cols = 2, .cells = "...."};
    assert_false(error_map_is_sound(&m));
    m = (error_map){.rows = 1, .cols = 1000, .cell_rows = 1, .cell_cols = 1};
    assert_false(error_map_is_sound(&m));
    m = (error_map){0};
    assert_false(error_map_is_sound(&m));
}
