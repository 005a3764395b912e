#include "debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "test.h"

#define CASE "matmul/F32/m=1,n=9,p=2/T0/lattice/raw/0/7"

static void expect_said(const char *text, const char *part)
{
    assert_that(strstr(text, part), "'%s' is missing in\n%s", part, text);
}

TEST(an_id_is_said_in_words)
{
    static const char *const parts[] = {
        "case      " CASE "\n",
        "op        matmul\n",
        "dtype     F32 of weights, cache or table; F32 of the output\n",
        "dims      m = 1, n = 9, p = 2\n",
        "tier      T0: exact inputs",
        "inputs    lattice: T0: small integers times powers of two\n",
        "weights   raw, as in a file\n",
        "overlap   none\n",
        "seed      0x7\n",
    };
    char *out;
    assert_int_equal(COMMAND(&out, "debug", CASE, "--backend", "scalar"), 0);
    for (size_t i = 0; i < N_OF(parts); i++)
        expect_said(out, parts[i]);
    free(out);
}

TEST(tensors_are_tables_and_an_error_has_a_star)
{
    char *out;
    assert_int_equal(COMMAND(&out, "debug", CASE, "--backend", "scalar"), 0);
    expect_said(out, "a in [1, 9]");
    expect_said(out, "out want [1, 2]\n");
    expect_said(out, "out got [1, 2]\n");
    expect_said(out, "out error/bound [1, 2]\n           0            0 \n");
    expect_said(out, "scalar: passed\n");
    free(out);
    assert_int_equal(COMMAND(&out, "debug", "matmul/F32/m=1,n=9,p=1/GO/written/raw/0/1.1",
                             "--values",
                             "a: [[0, 0, 0, 0, 0, 0, 0, 0, 1]], b: [[0], [0], [0], [0], "
                             "[0], [0], [0], [0], [3]]",
                             "--backend", FAULTY_PLUGIN "=tail"),
                     1);
    expect_said(out, "out want [1, 1]\n            3\n");
    expect_said(out, "out got [1, 1]\n            0\n");
    expect_said(out, "*\n");
    expect_said(out, "value: ");
    free(out);
}

/* The window that is printed of a large tensor lies around its worst element. */
TEST(of_a_large_tensor_a_part_is_shown)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "debug", "matmul/F32/m=40,n=9,p=30/T1/normal/raw/0/7", "--backend", "scalar"),
        0);
    expect_said(out, "a in [40, 9], rows 0 to 5, columns 0 to 5\n");
    expect_said(out, "out want [40, 30], rows ");
    free(out);
}

TEST(blocks_are_decoded)
{
    char *out;
    assert_int_equal(COMMAND(&out, "debug",
                             "gather_rows/Q8_0/n=2,table_rows=3,cols=32/T1/normal/"
                             "raw/0/7",
                             "--backend", "scalar"),
                     0);
    expect_said(out, "[3, 32] Q8_0, rows 0 to 2, columns 0 to 5\n");
    free(out);
}

TEST(files_are_written)
{
    static const char *const names[] = {"a.npy", "b.npy", "out.truth.npy", "out.got.npy"};
    assert_int_equal(COMMAND(NULL, "debug", CASE, "--backend", "scalar", "--dir", temp_path("d")),
                     0);
    for (size_t i = 0; i < N_OF(names); i++) {
        char path[64];
        snprintf(path, sizeof path, "d/%s", names[i]);
        assert_int_equal(access(temp_path(path), F_OK), 0);
    }
    temp_clean();
}

TEST(wrong_usage_is_told)
{
    assert_int_equal(COMMAND(NULL, "debug"), 2);
    assert_int_equal(COMMAND(NULL, "debug", "--backend", "scalar"), 2);
    assert_int_equal(COMMAND(NULL, "debug", "no/case", "--backend", "scalar"), 2);
    assert_int_equal(COMMAND(NULL, "debug", CASE, "--op", "add"), 2);
    assert_int_equal(COMMAND(NULL, "debug", CASE, "--backend", "scalar", "--backend", "simd"), 2);
}
