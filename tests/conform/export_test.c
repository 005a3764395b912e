#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "test.h"

TEST(cases_are_written_with_their_index)
{
    assert_int_equal(COMMAND(NULL, "export", temp_path("x"), "--op", "matmul", "--cases", "20"), 0);
    char *index = read_file(temp_path("x/index.yaml"), NULL);
    assert_non_null(index);
    assert_non_null(
        strstr(index, "inferno: export/2\nplan: [\"--op\", \"matmul\", \"--cases\", \"20\"]\n"));
    assert_non_null(strstr(index, "op: matmul\n"));
    assert_non_null(strstr(index, "name: out, role: out, dtype: \"<f4\""));
    assert_non_null(strstr(index, "class: bound, truth: out.truth.npy, bound: out.bound.npy"));
    assert_null(strstr(index, "/RE/"));
    assert_int_equal(access(temp_path("x/0000/a.npy"), F_OK), 0);
    assert_int_equal(access(temp_path("x/0000/out.truth.npy"), F_OK), 0);
    assert_int_not_equal(access(temp_path("x/0000/out.npy"), F_OK), 0);
    free(index);
    temp_clean();
}

/* Shapes are those of the spec, not the rows and columns of a layout. */
TEST(shapes_are_those_of_the_spec)
{
    assert_int_equal(COMMAND(NULL, "export", temp_path("x"), "--op", "apply_rope", "--shape",
                             "rows=2,n_heads=3,head_dim=4", "--cases", "1"),
                     0);
    char *index = read_file(temp_path("x/index.yaml"), NULL);
    assert_non_null(strstr(index, "{name: x, role: in, dtype: \"<f4\", shape: [2, 3, 4], "));
    free(index);
    char *file = read_file(temp_path("x/0000/out.truth.npy"), NULL);
    assert_non_null(strstr(file + 10, "'shape': (2, 3, 4), }"));
    free(file);
    temp_clean();
}

/* The format of partials is the backend's own, so nobody else could fill them in. */
TEST(attention_is_exported_as_one_call)
{
    assert_int_equal(COMMAND(NULL, "export", temp_path("x"), "--op", "attention", "--cases", "20"),
                     0);
    char *index = read_file(temp_path("x/index.yaml"), NULL);
    assert_non_null(index);
    assert_non_null(strstr(index, "cut_keys: 0"));
    assert_null(strstr(index, "cut_keys: 1"));
    assert_null(strstr(index, "phase: 1"));
    assert_null(strstr(index, "partials"));
    free(index);
    temp_clean();
}

TEST(shapes_and_files_of_cases_are_exported)
{
    static const char cases[] =
        "inferno: cases/1\ncases:\n"
        "  - {case: add/F32/n=2/GO/written/raw/0/1, name: x, x: [1, 2], y: [3, 4]}\n";
    char spec[256];
    assert_int_equal(
        COMMAND(NULL, "export", temp_path("x"), "--shape", "m=3,n=17,p=5", "--cases", "4"), 0);
    char *index = read_file(temp_path("x/index.yaml"), NULL);
    assert_non_null(strstr(index, "matmul/F32/m=3,n=17,p=5/"));
    assert_null(strstr(index, "add/"));
    free(index);
    snprintf(spec, sizeof spec, "%s", temp_path("cases.yaml"));
    write_file(spec, cases, sizeof cases - 1);
    assert_int_equal(COMMAND(NULL, "export", temp_path("y"), "--spec", spec), 0);
    index = read_file(temp_path("y/index.yaml"), NULL);
    assert_non_null(strstr(index, "add/F32/n=2/GO/written/raw/0/1.1"));
    free(index);
    temp_clean();
}

TEST(blocks_are_exported_as_bytes)
{
    static const char *const ops[] = {"copy_in", "quantize_rows", "kv_store", "gather_rows"};
    for (size_t i = 0; i < N_OF(ops); i++) {
        assert_int_equal(COMMAND(NULL, "export", temp_path("x"), "--op", ops[i], "--cases", "20"),
                         0);
        char *index = read_file(temp_path("x/index.yaml"), NULL);
        assert_non_null(index);
        assert_non_null(strstr(index, "class: raw, truth: "));
        free(index);
        temp_clean();
    }
}

/* A path so long that every file name in it exceeds the limit. */
TEST(a_folder_that_cannot_be_filled_is_an_error)
{
    char dir[4200];
    snprintf(dir, sizeof dir, "%s", temp_path(""));
    for (size_t n = strlen(dir); n + 2 < 4080; n = strlen(dir))
        snprintf(dir + n, sizeof dir - n, "./");
    assert_int_equal(COMMAND(NULL, "export", dir, "--op", "add", "--cases", "2"), 1);
    temp_clean();
}

TEST(wrong_usage_is_told)
{
    const char *dir = temp_path("x");
    assert_int_equal(COMMAND(NULL, "export"), 2);
    assert_int_equal(COMMAND(NULL, "export", "--op", "add"), 2);
    assert_int_equal(COMMAND(NULL, "export", dir, "--backend", "scalar"), 2);
    assert_int_equal(COMMAND(NULL, "export", dir, "--op", "add", "--dtype", "Q4_K"), 2);
    assert_int_equal(COMMAND(NULL, "export", "/nowhere/x", "--op", "add"), 1);
    assert_int_not_equal(access(dir, F_OK), 0);
    temp_clean();
}
