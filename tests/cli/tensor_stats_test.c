#include "tensor_stats.h"

#include <math.h>
#include <string.h>

#include <inferno/gguf_writer.h>

#include "paths.h"
#include "test.h"

static tensor_stats stats_of(const float *values, int64_t rows, int64_t cols)
{
    const char *const path = temp_path("stats.gguf");
    const int64_t shape[] = {rows, cols};
    ifn_error err = {0};
    ifn_gguf_writer *w;
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w, &err), err);
    assert_ok(ifn_gguf_writer_declare_tensor(w, "t", IFN_DTYPE_F32, 2, shape, &err), err);
    assert_ok(ifn_gguf_writer_write_data(w, values, (size_t)(rows * cols) * sizeof *values, &err),
              err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    ifn_gguf *gguf;
    tensor_scan scan;
    tensor_stats s;
    progress bar;
    progress_init(&bar, "", NULL);
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    assert_ok(tensor_scan_open(&scan, gguf, &bar, &err), err);
    assert_ok(tensor_stats_of(&scan, ifn_gguf_tensor_at(gguf, 0), &s, &err), err);
    tensor_scan_close(&scan);
    ifn_gguf_close(gguf);
    return s;
}

TEST(values_are_summed_up)
{
    const float values[] = {1, -3, 0, -0.0f, 2, 6};
    const tensor_stats s = stats_of(values, 2, 3);
    assert_true(s.least == -3 && s.most == 6 && s.mean == 1);
    assert_true(fabs(s.rms - sqrt(50.0 / 6)) < 1e-12);
    assert_true(s.n == 6 && s.n_zero == 2 && s.n_nan == 0 && s.n_infinite == 0);
}

TEST(what_is_no_number_does_not_spoil_the_others)
{
    const float values[] = {NAN, 2, -INFINITY, 4};
    const tensor_stats s = stats_of(values, 1, 4);
    assert_true(s.n_nan == 1 && s.n_infinite == 1 && s.mean == 3);
    assert_true(s.least == -(double)INFINITY && s.most == 4);
    const float nothing[] = {NAN};
    char text[80] = "";
    FILE *const out = fmemopen(text, sizeof text, "w");
    const tensor_stats none = stats_of(nothing, 1, 1);
    tensor_stats_print(&none, out);
    fclose(out);
    assert_string_equal(text, "zeros 0, NaN 1");
}
