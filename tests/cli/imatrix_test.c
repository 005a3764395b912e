#include "imatrix.h"

#include <math.h>
#include <string.h>

#include <inferno/gguf_writer.h>

#include "paths.h"
#include "test.h"

/* The bytes of a file in llama.cpp's format before GGUF. */
typedef struct legacy {
    unsigned char data[512];
    size_t n;
} legacy;

static void put(legacy *f, const void *data, size_t bytes)
{
    assert_true(f->n + bytes <= sizeof f->data);
    memcpy(f->data + f->n, data, bytes);
    f->n += bytes;
}

static void put_int(legacy *f, int32_t value)
{
    put(f, &value, sizeof value);
}

static void put_entry(legacy *f, const char *name, int32_t calls, int32_t n, const float *values)
{
    put_int(f, (int32_t)strlen(name));
    put(f, name, strlen(name));
    put_int(f, calls);
    put_int(f, n);
    put(f, values, (size_t)n * sizeof *values);
}

static const char *written(const legacy *f)
{
    const char *const path = temp_path("legacy.dat");
    write_file(path, f->data, f->n);
    return path;
}

static void expect_entry(const imatrix *m, const char *name, size_t n, const float *values)
{
    const imatrix_entry *const e = imatrix_find(m, name);
    assert_that(e, "no %s", name);
    assert_int_equal(e->n, n);
    for (size_t i = 0; i < n; i++)
        assert_that(e->values[i] == values[i], "%g", (double)e->values[i]);
}

TEST(the_format_of_before_is_read)
{
    static const float a[] = {2, 4}, b[] = {3, 0, 5}, a_mean[] = {0.5, 1};
    legacy f = {.n = 0};
    imatrix m;
    ifn_error err = {0};
    put_int(&f, 2);
    put_entry(&f, "blk.0.attn_q.weight", 4, 2, a);
    put_entry(&f, "output.weight", 0, 3, b);
    assert_ok(imatrix_open(&m, written(&f), &err), err);
    expect_entry(&m, "blk.0.attn_q.weight", 2, a_mean);
    expect_entry(&m, "output.weight", 3, b);
    assert_null(imatrix_find(&m, "blk.0.attn_k.weight"));
    imatrix_close(&m);
    put_int(&f, 100);
    put_int(&f, 5);
    put(&f, "a.txt", 5);
    assert_ok(imatrix_open(&m, written(&f), &err), err);
    assert_int_equal(m.n_chunks, 100);
    assert_string_equal(m.dataset, "a.txt");
    imatrix_close(&m);
}

static void expect_refused(const legacy *f, const char *text)
{
    imatrix m;
    ifn_error err = {0};
    assert_int_equal(imatrix_open(&m, written(f), &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, text), "no '%s' in %s", text, err.text);
    imatrix_close(&m);
}

TEST(a_file_that_lies_is_refused)
{
    static const float values[] = {1, 2}, bad[] = {1, -2}, nan[] = {NAN};
    legacy whole = {.n = 0}, f;
    put_int(&whole, 1);
    put_entry(&whole, "t", 1, 2, values);
    for (size_t n = 0; n < whole.n; n++) {
        f = whole;
        f.n = n;
        expect_refused(&f, "expected");
    }
    f = (legacy){.n = 0};
    put_int(&f, 1);
    put_entry(&f, "t", 1, 2, bad);
    expect_refused(&f, "t: found -2 for column 1");
    f = (legacy){.n = 0};
    put_int(&f, 1);
    put_entry(&f, "t", 1, 1, nan);
    expect_refused(&f, "found nan for column 0");
    f = (legacy){.n = 0};
    put_int(&f, INT32_MAX);
    expect_refused(&f, "found its end");
    f = (legacy){.n = 0};
    put_int(&f, 1);
    put_int(&f, INT32_MAX);
    expect_refused(&f, "of a name");
    f = (legacy){.n = 0};
    put_int(&f, -1);
    expect_refused(&f, "found -1 for a number of entries");
}

static const char *gguf_with(const char *sums_name, const char *counts_name, int64_t n_counts)
{
    static const int64_t shape[] = {2, 3};
    const int64_t counts_shape[] = {n_counts, 1};
    static const float sums[] = {2, 4, 6, 7, 8, 9}, counts[] = {2, 0, 0};
    const char *const path = temp_path("matrix.gguf");
    ifn_gguf_writer *w;
    ifn_error err = {0};
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w, &err), err);
    assert_ok(ifn_gguf_writer_put_uint(w, "imatrix.chunk_count", IFN_GGUF_UINT32, 9, &err), err);
    assert_ok(ifn_gguf_writer_declare_tensor(w, sums_name, IFN_DTYPE_F32, 2, shape, &err), err);
    assert_ok(ifn_gguf_writer_declare_tensor(w, counts_name, IFN_DTYPE_F32, 2, counts_shape, &err),
              err);
    assert_ok(ifn_gguf_writer_write_data(w, sums, sizeof sums, &err), err);
    assert_ok(ifn_gguf_writer_write_data(w, counts, (size_t)n_counts * sizeof *counts, &err), err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    return path;
}

TEST(gguf_is_read)
{
    static const float means[] = {1, 2, 3, 1, 1, 1}; /* a count of 0 gives 1 */
    imatrix m;
    ifn_error err = {0};
    assert_ok(imatrix_open(&m, gguf_with("t.in_sum2", "t.counts", 2), &err), err);
    expect_entry(&m, "t", 6, means);
    assert_int_equal(m.n_chunks, 9);
    imatrix_close(&m);
}

TEST(gguf_without_counts_is_refused)
{
    imatrix m;
    ifn_error err = {0};
    assert_int_equal(imatrix_open(&m, gguf_with("t.in_sum2", "u.counts", 2), &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "t.in_sum2: found no F32 counts that fit"));
    imatrix_close(&m);
    assert_int_equal(imatrix_open(&m, gguf_with("t", "u", 2), &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "expected an importance matrix"));
    imatrix_close(&m);
}
