#include "row_writer.h"

#include <inferno/gguf.h>
#include <inferno/quant.h>

#include <math.h>
#include <string.h>

#include "paths.h"
#include "test.h"

enum { COLS = 64, ROWS = 3000 };

/* Row r holds r, r + 1, r + 2, ..., except for one bad value, which a later row has, too. */
typedef struct ramp {
    int64_t bad_row;
    float bad;
    int64_t n_begun, n_written, n_threads;
} ramp;

static ifn_status begin_rows(void *cookie, int64_t first, int64_t n, ifn_error *err)
{
    ramp *r = cookie;
    (void)err;
    assert_int_equal(first, r->n_begun);
    r->n_begun += n;
    return IFN_OK;
}

static ifn_status put_row(void *cookie, int64_t row, float *out)
{
    const ramp *r = cookie;
    for (int64_t i = 0; i < COLS; i++)
        out[i] = (float)(row + i);
    if (row == r->bad_row)
        out[5] = r->bad;
    if (r->bad_row >= 0 && row == r->bad_row + 3)
        out[6] = r->bad;
    return IFN_OK;
}

static void count_rows(void *cookie, int64_t n)
{
    ramp *r = cookie;
    r->n_written += n;
}

static ifn_status write_ramp(const char *path, ifn_dtype dtype, ramp *r, ifn_error *err)
{
    const int64_t shape[] = {ROWS, COLS};
    ifn_gguf_writer *file;
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &file, err), *err);
    assert_ok(ifn_gguf_writer_declare_tensor(file, "t", dtype, 2, shape, err), *err);
    const row_source source = {
        .cookie = r, .begin = begin_rows, .row = put_row, .written = count_rows};
    row_coder coder;
    assert_ok(row_coder_open(&coder, r->n_threads, err), *err);
    const row_target target = {.coder = &coder,
                               .file = file,
                               .input = "in",
                               .tensor = "t",
                               .dtype = dtype,
                               .rows = ROWS,
                               .cols = COLS};
    ifn_status status = row_write_all(&target, &source, err);
    row_coder_close(&coder);
    if (status == IFN_OK)
        status = ifn_gguf_writer_finish(file, err);
    ifn_gguf_writer_close(file);
    return status;
}

TEST(every_row_arrives_in_order_in_its_type)
{
    ifn_error err = {0};
    ifn_gguf *gguf;
    ramp r = {.bad_row = -1};
    assert_ok(write_ramp(temp_path("rows"), IFN_DTYPE_Q8_0, &r, &err), err);
    assert_int_equal(r.n_begun, ROWS);
    assert_int_equal(r.n_written, ROWS);
    assert_ok(ifn_gguf_open(temp_path("rows"), NULL, &gguf, &err), err);
    const uint8_t *data = ifn_gguf_find_tensor(gguf, "t")->view.data;
    const size_t row_bytes = ifn_dtype_row_bytes(IFN_DTYPE_Q8_0, COLS);
    for (int64_t row = 0; row < ROWS; row++) {
        float values[COLS];
        uint8_t expected[COLS * 2];
        assert_ok(put_row(&r, row, values), err);
        assert_ok(ifn_quantize_row(IFN_DTYPE_Q8_0, values, expected, COLS), err);
        assert_memory_equal(data + (size_t)row * row_bytes, expected, row_bytes);
    }
    ifn_gguf_close(gguf);
}

static void assert_refused_value(float value, ifn_dtype dtype, const char *text)
{
    ifn_error err = {0};
    for (int threads = 1; threads <= 8; threads++) {
        ramp r = {.bad_row = 2500, .bad = value, .n_threads = threads};
        assert_int_equal(write_ramp(temp_path("refused"), dtype, &r, &err), IFN_ERR_FORMAT);
        assert_string_equal(err.text, text);
    }
}

TEST(values_that_are_not_finite_are_refused)
{
    assert_refused_value(NAN, IFN_DTYPE_F32,
                         "in: t: row 2500: found nan at element 5, expected finite weights");
    assert_refused_value(-INFINITY, IFN_DTYPE_Q8_0,
                         "in: t: row 2500: found -inf at element 5, expected finite weights");
}

TEST(values_that_the_type_cannot_hold_are_refused)
{
    assert_refused_value(70000.0f, IFN_DTYPE_F16,
                         "in: t: row 2500: found 70000 at element 5, too large for F16");
}
