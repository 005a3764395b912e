#include "tensor_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/gguf_writer.h>
#include <inferno/quant.h>

#include "memory_file.h"
#include "paths.h"
#include "test.h"

enum { ROWS = 3, COLS = 256 };

/* Bytes that replace a part of the encoded rows of ones. */
typedef struct spot {
    const char *tensor;
    ifn_dtype dtype;
    size_t row, at; /* bytes into the row */
    const char *bytes;
    size_t n_bytes;
} spot;

#define F32_NAN    "\x00\x00\xc0\x7f"
#define F32_INF    "\x00\x00\x80\x7f"
#define HALF_INF   "\x00\x7c"
#define HALF_MINUS "\x00\xfc"
#define HALF_NAN   "\x01\x7c"
#define BF16_NAN   "\xc0\x7f"

/* Encodes ROWS rows of ones and puts the spot over them. The caller frees the result. */
static uint8_t *rows_with(const spot *s, size_t *bytes)
{
    const size_t row_bytes = ifn_dtype_row_bytes(s->dtype, COLS);
    float ones[COLS];
    uint8_t *const data = malloc(ROWS * row_bytes);
    for (int i = 0; i < COLS; i++)
        ones[i] = 1;
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(ifn_quantize_row(s->dtype, ones, data + row * row_bytes, COLS), IFN_OK);
    memcpy(data + s->row * row_bytes + s->at, s->bytes, s->n_bytes);
    *bytes = ROWS * row_bytes;
    return data;
}

static const char *write_file_of(const spot *spots, size_t n)
{
    static const int64_t shape[] = {ROWS, COLS};
    const char *const path = temp_path("spots.gguf");
    ifn_gguf_writer *w;
    ifn_error err;
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w, &err), err);
    for (size_t i = 0; i < n; i++)
        assert_ok(
            ifn_gguf_writer_declare_tensor(w, spots[i].tensor, spots[i].dtype, 2, shape, &err),
            err);
    for (size_t i = 0; i < n; i++) {
        size_t bytes;
        uint8_t *const data = rows_with(&spots[i], &bytes);
        assert_ok(ifn_gguf_writer_write_data(w, data, bytes, &err), err);
        free(data);
    }
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    return path;
}

/* Returns what the check prints of a file, which the caller frees. */
static char *printed_of(const char *path)
{
    tensor_check check;
    progress bar;
    memory_file f;
    ifn_gguf *gguf;
    ifn_error err;
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    progress_init(&bar, "", NULL);
    assert_ok(tensor_check_run(&check, gguf, &bar, &err), err);
    memory_file_open(&f);
    tensor_check_print(&check, f.file);
    memory_file_close(&f);
    tensor_check_free(&check);
    ifn_gguf_close(gguf);
    return f.data;
}

TEST(values_and_scales_that_are_not_finite_are_found)
{
    static const spot spots[] = {
        {"nan", IFN_DTYPE_F32, 1, 8, F32_NAN, 4},
        {"large", IFN_DTYPE_F32, 0, 0, "\xff\xff\x7f\x7f", 4},
        {"last", IFN_DTYPE_F32, 2, 4 * (COLS - 1), F32_INF, 4},
        {"half", IFN_DTYPE_F16, 0, 0, HALF_MINUS, 2},
        {"brain", IFN_DTYPE_BF16, 0, 2, BF16_NAN, 2},
        {"scale", IFN_DTYPE_Q8_0, 2, 34, HALF_INF, 2},  /* d of the second block */
        {"minimum", IFN_DTYPE_Q4_K, 0, 2, HALF_NAN, 2}, /* dmin */
        {"quant", IFN_DTYPE_Q8_0, 1, 3, "\x80", 1},     /* a value like any other */
    };
    char *const text = printed_of(write_file_of(spots, N_OF(spots)));
    assert_string_equal(
        text, "weights: 8 tensors checked, not all right:\n"
              "  nan: row 1, element 2 is nan; not finite are 1 values in 1 rows\n"
              "  last: row 2, element 255 is inf; not finite are 1 values in 1 rows\n"
              "  half: row 0, element 0 is -inf; not finite are 1 values in 1 rows\n"
              "  brain: row 0, element 1 is nan; not finite are 1 values in 1 rows\n"
              "  scale: row 2, element 32 is inf; not finite are 32 values in 1 rows\n"
              "  minimum: row 0, element 0 is nan; not finite are 256 values in 1 rows\n");
    free(text);
}

TEST(a_sound_file_is_said_to_be_so)
{
    char *const text =
        printed_of(write_file_of(&(spot){"whole", IFN_DTYPE_Q6_K, 0, 0, "\x01", 1}, 1));
    assert_string_equal(text, "weights: 1 tensors checked, all values finite\n");
    free(text);
}

/* The tensor has more rows than one piece: every row is checked and counted. */
TEST(every_row_of_a_large_tensor_counts)
{
    enum { MANY = 3000 };
    static float rows[MANY][COLS];
    const char *const path = temp_path("large.gguf");
    ifn_gguf_writer *w;
    ifn_error err;
    for (int row = 100; row < MANY; row += 1000)
        rows[row][7] = rows[row][9] = -INFINITY;
    assert_ok(ifn_gguf_writer_open(path, 32, NULL, &w, &err), err);
    assert_ok(ifn_gguf_writer_declare_tensor(w, "t", IFN_DTYPE_F32, 2,
                                             (const int64_t[]){MANY, COLS}, &err),
              err);
    assert_ok(ifn_gguf_writer_write_data(w, rows, sizeof rows, &err), err);
    assert_ok(ifn_gguf_writer_finish(w, &err), err);
    ifn_gguf_writer_close(w);
    char *const text = printed_of(path);
    assert_non_null(
        strstr(text, "  t: row 100, element 7 is -inf; not finite are 6 values in 3 rows\n"));
    free(text);
}

/* After the name of a tensor the file has its number of dimensions, each dimension, and its type, which the test
 * changes. */
TEST(a_type_that_cannot_be_decoded_is_not_passed_over)
{
    enum { IQ2_XXS = 16 };
    static const char name[] = "of a type of its own";
    const char *const path = write_file_of(&(spot){name, IFN_DTYPE_F32, 0, 0, "", 0}, 1);
    size_t bytes;
    char *const file = read_file(path, &bytes), *at = file;
    while (at < file + bytes - sizeof name && memcmp(at, name, sizeof name - 1) != 0)
        at++;
    at[sizeof name - 1 + 4 + 2 * 8] = IQ2_XXS;
    write_file(path, file, bytes);
    free(file);
    char *const text = printed_of(path);
    assert_string_equal(text, "weights: 1 tensors checked, not all right:\n"
                              "  of a type of its own: type IQ2_XXS cannot be decoded here\n");
    free(text);
}
