#include "row_writer.h"

#include <inferno/gguf.h>

#include <math.h>
#include <string.h>

#include "paths.h"
#include "test.h"

enum { COLS = 64 };

/* A file with one tensor [rows, COLS], waiting for its rows. */
static row_writer begin(const char *path, ifn_dtype dtype, int64_t rows)
{
    row_writer w = {0};
    ifn_error err = {0};
    const int64_t shape[] = {rows, COLS};
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w.file, &err), err);
    assert_ok(ifn_gguf_writer_declare_tensor(w.file, "t", dtype, 2, shape, &err), err);
    assert_ok(row_writer_fit(&w, COLS, &err), err);
    for (int i = 0; i < COLS; i++)
        w.values[i] = (float)i - 20;
    return w;
}

static void rows_arrive_in_the_file_in_their_type(void **state)
{
    (void)state;
    ifn_error err = {0};
    ifn_gguf *gguf;
    row_writer w = begin(temp_path("rows"), IFN_DTYPE_F16, 2);
    assert_ok(row_writer_put(&w, "t", IFN_DTYPE_F16, COLS, &err), err);
    w.values[0] = 7;
    assert_ok(row_writer_put(&w, "t", IFN_DTYPE_F16, COLS, &err), err);
    assert_ok(ifn_gguf_writer_finish(w.file, &err), err);
    ifn_gguf_writer_close(w.file);
    row_writer_free(&w);
    assert_ok(ifn_gguf_open(temp_path("rows"), NULL, &gguf, &err), err);
    const uint8_t *data = ifn_gguf_find_tensor(gguf, "t")->view.data;
    static const uint8_t minus_20[] = {0x00, 0xcd}, seven[] = {0x00, 0x47};
    assert_memory_equal(data, minus_20, 2);
    assert_memory_equal(data + 2 * COLS, seven, 2);
    ifn_gguf_close(gguf);
}

static void assert_refused_value(float value, ifn_dtype dtype, const char *text)
{
    ifn_error err = {0};
    row_writer w = begin(temp_path("refused"), dtype, 1);
    w.values[5] = value;
    assert_int_equal(row_writer_put(&w, "t", dtype, COLS, &err), IFN_ERR_FORMAT);
    assert_string_equal(err.text, text);
    ifn_gguf_writer_close(w.file);
    row_writer_free(&w);
}

static void values_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    assert_refused_value(NAN, IFN_DTYPE_F32, "t: found nan at column 5, expected finite weights");
    assert_refused_value(-INFINITY, IFN_DTYPE_Q8_0,
                         "t: found -inf at column 5, expected finite weights");
}

static void values_that_the_type_cannot_hold_are_refused(void **state)
{
    (void)state;
    assert_refused_value(70000.0f, IFN_DTYPE_F16, "t: found 70000 at column 5, too large for F16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rows_arrive_in_the_file_in_their_type),
        RUN(values_that_are_not_finite_are_refused),
        RUN(values_that_the_type_cannot_hold_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
