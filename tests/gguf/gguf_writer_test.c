#include <inferno/gguf_writer.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "image.h"
#include "paths.h"
#include "test.h"

static ifn_gguf_writer *open_writer(const char *path, uint32_t alignment)
{
    ifn_gguf_writer *w;
    ifn_error err;
    assert_ok(ifn_gguf_writer_open(path, alignment, NULL, &w, &err), err);
    return w;
}

static void declare(ifn_gguf_writer *w, const char *name, ifn_dtype dtype, int64_t rows,
                    int64_t cols)
{
    ifn_error err;
    assert_ok(ifn_gguf_writer_declare_tensor(w, name, dtype, 2, (int64_t[]){rows, cols}, &err),
              err);
}

/* The bytes are compared with those that the format alone prescribes. */
static void assert_bytes_for(uint32_t alignment)
{
    const char *path = temp_path("exact.gguf");
    ifn_gguf_writer *w = open_writer(path, alignment);
    ifn_error err;
    const float ones[15] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_ok(ifn_gguf_writer_put_uint(w, "answer", IFN_GGUF_UINT32, 42, &err), err);
    declare(w, "first", IFN_DTYPE_F32, 3, 5);
    declare(w, "second", IFN_DTYPE_F16, 1, 3);
    assert_ok(ifn_gguf_writer_write_data(w, ones, sizeof ones, &err), err);
    assert_ok(ifn_gguf_writer_write_data(w, "abcdef", 6, &err), err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);

    const int said = alignment != 32;
    image expected = image_new(3, 2, 1 + said);
    if (said)
        image_kv_u32(&expected, "general.alignment", alignment);
    image_kv_u32(&expected, "answer", 42);
    image_tensor(&expected, "first", 2, (uint64_t[]){5, 3}, 0, 0);
    image_tensor(&expected, "second", 2, (uint64_t[]){3, 1}, 1,
                 (sizeof ones + alignment - 1) / alignment * alignment);
    image_pad(&expected, alignment);
    image_put(&expected, ones, sizeof ones);
    image_pad(&expected, alignment);
    image_put(&expected, "abcdef", 6);
    image_pad(&expected, alignment);
    size_t bytes;
    char *got = read_file(path, &bytes);
    assert_int_equal(bytes, expected.bytes);
    assert_memory_equal(got, expected.data, bytes);
    free(got);
    image_free(&expected);
}

TEST(the_file_is_byte_for_byte_what_the_format_says)
{
    static const uint32_t alignments[] = {1, 8, 32, 64, 4096, 65536};
    for (size_t i = 0; i < N_OF(alignments); i++)
        assert_bytes_for(alignments[i]);
}

TEST(a_file_without_tensors_has_no_padding)
{
    const char *path = temp_path("vocab.gguf");
    ifn_gguf_writer *w = open_writer(path, 32);
    ifn_error err;
    assert_ok(ifn_gguf_writer_put_uint(w, "k", IFN_GGUF_UINT8, 1, &err), err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    ifn_gguf *gguf;
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    assert_int_equal(ifn_gguf_file_bytes(gguf), 24 + 8 + 1 + 4 + 1);
    ifn_gguf_close(gguf);
}

TEST(data_may_come_in_any_pieces)
{
    enum { BYTES = 3 * 34 };
    uint8_t data[BYTES];
    for (int i = 0; i < BYTES; i++)
        data[i] = (uint8_t)i;
    for (size_t piece = 1; piece <= BYTES; piece++) {
        const char *path = temp_path("pieces.gguf");
        ifn_gguf_writer *w = open_writer(path, 32);
        ifn_error err;
        declare(w, "empty", IFN_DTYPE_F32, 0, 8);
        declare(w, "t", IFN_DTYPE_Q8_0, 3, 32);
        declare(w, "empty too", IFN_DTYPE_F32, 4, 0);
        for (size_t at = 0; at < BYTES; at += piece)
            assert_ok(ifn_gguf_writer_write_data(w, data + at,
                                                 piece < BYTES - at ? piece : BYTES - at, &err),
                      err);
        assert_ok(ifn_gguf_writer_write_data(w, NULL, 0, &err), err);
        assert_ok(ifn_gguf_writer_finish(w, &err), err);
        ifn_gguf_writer_close(w);
        ifn_gguf *gguf;
        assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
        assert_memory_equal(ifn_gguf_find_tensor(gguf, "t")->view.data, data, BYTES);
        ifn_gguf_close(gguf);
    }
}

static void assert_misuse(ifn_status status, const ifn_error *err, const char *why)
{
    assert_int_equal(status, IFN_ERR_ARGUMENT);
    assert_that(strstr(err->text, why) != NULL, "'%s' does not say '%s'", err->text, why);
}

TEST(data_and_declaration_must_agree)
{
    const char *path = temp_path("agree.gguf");
    ifn_gguf_writer *w = open_writer(path, 32);
    ifn_error e;
    const uint8_t data[64] = {0};
    declare(w, "t", IFN_DTYPE_F32, 2, 4);
    assert_misuse(ifn_gguf_writer_write_data(w, data, 33, &e), &e,
                  "tensor 0: found 33 bytes, expected at most 32");
    assert_misuse(ifn_gguf_writer_put_bool(w, "late", 1, &e), &e, "come before all data");
    assert_misuse(ifn_gguf_writer_declare_tensor(w, "late", IFN_DTYPE_F32, 1, (int64_t[]){1}, &e),
                  &e, "come before all data");
    assert_ok(ifn_gguf_writer_write_data(w, data, 31, &e), e);
    assert_misuse(ifn_gguf_writer_finish(w, &e), &e, "tensor 0: found 31 bytes, expected 32");
    assert_misuse(ifn_gguf_writer_write_data(w, data, 2, &e), &e, "expected at most 1");
    assert_ok(ifn_gguf_writer_write_data(w, data, 1, &e), e);
    assert_misuse(ifn_gguf_writer_write_data(w, data, 1, &e), &e, "tensor 1: found 1 bytes");
    assert_ok(ifn_gguf_writer_finish(w, &e), e);
    assert_misuse(ifn_gguf_writer_finish(w, &e), &e, "after finish");
    assert_misuse(ifn_gguf_writer_write_data(w, data, 1, &e), &e, "after finish");
    ifn_gguf_writer_close(w);
    assert_int_equal(access(path, F_OK), 0);
}

TEST(tensors_that_no_reader_takes_are_not_declared)
{
    ifn_gguf_writer *w = open_writer(temp_path("refused.gguf"), 32);
    ifn_error e;
    const char *long_name = "0123456789012345678901234567890123456789012345678901234567890123";
    static const struct {
        const char *name;
        ifn_dtype dtype;
        int32_t n_dims;
        int64_t shape[4];
        const char *why;
    } cases[] = {
        {"t", IFN_DTYPE_Q8_32F, 1, {32}, "does not stand in files"},
        {"t", (ifn_dtype)99, 1, {32}, "does not stand in files"},
        {"t", IFN_DTYPE_F32, 0, {1}, "n_dims"},
        {"t", IFN_DTYPE_F32, 5, {1}, "n_dims"},
        {"t", IFN_DTYPE_F32, 2, {-1, 4}, "negative or too large"},
        {"t", IFN_DTYPE_F32, 2, {4, -1}, "the row"},
        {"t", IFN_DTYPE_Q4_K, 2, {4, 128}, "does not fit the blocks"},
        {"t", IFN_DTYPE_F32, 3, {INT64_MAX, 2, 1}, "negative or too large"},
        {"t", IFN_DTYPE_F32, 1, {INT64_MAX}, "too large"},
    };
    for (size_t i = 0; i < N_OF(cases); i++)
        assert_misuse(ifn_gguf_writer_declare_tensor(w, cases[i].name, cases[i].dtype,
                                                     cases[i].n_dims, cases[i].shape, &e),
                      &e, cases[i].why);
    assert_misuse(
        ifn_gguf_writer_declare_tensor(w, long_name, IFN_DTYPE_F32, 1, (int64_t[]){1}, &e), &e,
        "longer than 63 bytes");
    const int64_t half[] = {1ll << 61};
    assert_ok(ifn_gguf_writer_declare_tensor(w, "a", IFN_DTYPE_F32, 1, half, &e), e);
    assert_misuse(ifn_gguf_writer_declare_tensor(w, "b", IFN_DTYPE_F32, 1, half, &e), &e,
                  "too large");
    ifn_gguf_writer_close(w);
}

TEST(a_name_given_twice_is_noticed_before_anything_is_written)
{
    ifn_gguf_writer *w = open_writer(temp_path("twice.gguf"), 32);
    ifn_error e;
    declare(w, "same", IFN_DTYPE_F32, 1, 1);
    declare(w, "same", IFN_DTYPE_F32, 1, 1);
    assert_misuse(ifn_gguf_writer_write_data(w, "1234", 4, &e), &e, "same: given twice");
    ifn_gguf_writer_close(w);
    w = open_writer(temp_path("twice.gguf"), 32);
    assert_ok(ifn_gguf_writer_put_bool(w, "key", 1, &e), e);
    assert_ok(ifn_gguf_writer_put_bool(w, "key", 1, &e), e);
    assert_misuse(ifn_gguf_writer_finish(w, &e), &e, "key: given twice");
    ifn_gguf_writer_close(w);
    assert_int_not_equal(access(temp_path("twice.gguf"), F_OK), 0);
}

TEST(the_alignment_is_a_power_of_two)
{
    static const uint32_t wrong[] = {0, 3, 24, UINT32_MAX};
    for (size_t i = 0; i < N_OF(wrong); i++) {
        ifn_gguf_writer *w;
        ifn_error e;
        assert_misuse(ifn_gguf_writer_open(temp_path("x"), wrong[i], NULL, &w, &e), &e,
                      "expected a power of two");
        assert_null(w);
    }
}

TEST(an_unfinished_file_is_discarded)
{
    const char *path = temp_path("unfinished.gguf");
    ifn_gguf_writer *w = open_writer(path, 32);
    declare(w, "t", IFN_DTYPE_F32, 1, 4);
    assert_int_equal(ifn_gguf_writer_write_data(w, "1234", 4, NULL), IFN_OK);
    ifn_gguf_writer_close(w);
    assert_int_not_equal(access(path, F_OK), 0);
    ifn_gguf_writer_close(NULL);
}

/* The device is reached through a link of the test's own: a writer that renamed over its target would replace only
 * the link. */
TEST(a_full_disk_breaks_the_writer_for_good)
{
    if (access("/dev/full", W_OK) != 0)
        skip();
    enum { BYTES = 1 << 20 };
    const char *path = temp_path("full");
    assert_int_equal(symlink("/dev/full", path), 0);
    ifn_gguf_writer *w = open_writer(path, 32);
    ifn_error e;
    char *data = calloc(1, BYTES);
    declare(w, "t", IFN_DTYPE_F32, 1, BYTES / 4);
    assert_int_equal(ifn_gguf_writer_write_data(w, data, BYTES, &e), IFN_ERR_IO);
    assert_non_null(strstr(e.text, "full: no space left on the device"));
    assert_int_equal(ifn_gguf_writer_write_data(w, data, 1, &e), IFN_ERR_IO);
    assert_string_equal(e.text, "gguf writer: an earlier write failed");
    assert_int_equal(ifn_gguf_writer_finish(w, &e), IFN_ERR_IO);
    ifn_gguf_writer_close(w);
    free(data);
}

/* Writes one file with an allocator that may fail at any request. */
static ifn_status write_with(const ifn_allocator *alloc, const char *path, ifn_error *err)
{
    ifn_gguf_writer *w;
    const ifn_string strings[] = {{"a", 1}, {"bc", 2}};
    ifn_status status = ifn_gguf_writer_open(path, 64, alloc, &w, err);
    if (status != IFN_OK) {
        assert_null(w);
        return status;
    }
    if ((status = ifn_gguf_writer_put_bool(w, "b", 1, err)) == IFN_OK &&
        (status = ifn_gguf_writer_put_strings(w, "s", strings, 2, err)) == IFN_OK &&
        (status = ifn_gguf_writer_declare_tensor(w, "t", IFN_DTYPE_F32, 1, (int64_t[]){1}, err)) ==
            IFN_OK &&
        (status = ifn_gguf_writer_write_data(w, "1234", 4, err)) == IFN_OK)
        status = ifn_gguf_writer_finish(w, err);
    ifn_gguf_writer_close(w);
    return status;
}

TEST(every_failing_allocation_is_reported_and_leaves_no_file)
{
    const char *path = temp_path("nomem.gguf");
    fail_alloc counting;
    fail_alloc_init(&counting, -1);
    assert_int_equal(write_with(&counting.allocator, path, NULL), IFN_OK);
    assert_int_equal(counting.live_blocks, 0);
    assert_true(counting.n_calls > 8);
    unlink(path);
    for (long n = 0; n < counting.n_calls; n++) {
        fail_alloc failing;
        ifn_error err = {.status = IFN_OK};
        fail_alloc_init(&failing, n);
        assert_int_equal(write_with(&failing.allocator, path, &err), IFN_ERR_NOMEM);
        assert_int_equal(err.status, IFN_ERR_NOMEM);
        assert_int_equal(failing.live_blocks, 0);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

TEST(memory_does_not_depend_on_the_data)
{
    enum { MEGABYTE = 1 << 20, N = 32 };
    fail_alloc counting;
    ifn_gguf_writer *w;
    ifn_error err;
    char *data = calloc(1, MEGABYTE);
    fail_alloc_init(&counting, -1);
    assert_ok(ifn_gguf_writer_open(temp_path("big.gguf"), 32, &counting.allocator, &w, &err), err);
    declare(w, "t", IFN_DTYPE_F32, N, MEGABYTE / 4);
    for (int i = 0; i < N; i++)
        assert_ok(ifn_gguf_writer_write_data(w, data, MEGABYTE, &err), err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    assert_true(counting.peak_bytes < 128 * 1024);
    unlink(temp_path("big.gguf"));
    free(data);
}
