#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "test.h"

static char *expect_file(const char *path)
{
    char *content = read_file(temp_path(path), NULL);
    assert_that(content != NULL, "%s: not there", path);
    static const char *const marks[] = {"@NAME@", "@HOST@", "@DEVICE@"};
    for (size_t i = 0; i < N_OF(marks); i++)
        assert_that(strstr(content, marks[i]) == NULL, "%s: %s is left in: %s", path, marks[i],
                    content);
    return content;
}

static void expect_text(const char *path, const char *part)
{
    char *content = expect_file(path);
    assert_that(strstr(content, part) != NULL, "%s: expected '%s' in: %s", path, part, content);
    free(content);
}

TEST(a_project_has_its_name_everywhere)
{
    json_free(assert_json("inferno", "backend", "new", "fast_one-2", temp_path("dir"), "--json"));
    expect_text("dir/CMakeLists.txt", "project(fast_one-2 LANGUAGES C)");
    expect_text("dir/CMakeLists.txt", "add_library(fast_one-2 MODULE fast_one-2.c)");
    expect_text("dir/CMakeLists.txt",
                "inferno_add_conformance(TARGET fast_one-2 PROFILE ci ON_DEMAND)");
    expect_text("dir/fast_one-2.c", "IFN_BACKEND_ENTRY(.name = \"fast_one-2\",");
    expect_text("dir/README.md", "# fast_one-2\n\nA backend for inferno");
    expect_text("dir/.gitignore", "/build/\n");
    expect_text("dir/.github/workflows/conform.yml", "conform --backend build/fast_one-2.so");
}

/* A device has the files of a host backend, and those that drive the device. */
TEST(a_device_has_its_name_everywhere)
{
    json_free(assert_json("inferno", "backend", "new", "far-off", temp_path("device"), "--device",
                          "--json"));
    expect_text("device/CMakeLists.txt", "add_library(far-off MODULE far-off.c device.c ");
    expect_text("device/CMakeLists.txt", "apt install opencl-headers ocl-icd-opencl-dev");
    expect_text("device/far-off.c", "IFN_BACKEND_ENTRY(.name = \"far-off\",");
    expect_text("device/far-off.c", ".flags = IFN_BACKEND_DEVICE");
    expect_text("device/device.c", "#define BACKEND \"backend 'far-off': \"");
    expect_text("device/kernels/add.cl", "__kernel void add(");
    expect_text("device/README.md", "A device for inferno");
    expect_text("device/.github/workflows/conform.yml", "pocl-opencl-icd");
}

static void expect_listed(const json *d, const char *dir, const char *name, size_t n)
{
    const json *files = json_get(d, "files");
    assert_string_equal(json_get(d, "name")->string, "mine");
    assert_string_equal(json_get(d, "dir")->string, dir);
    assert_int_equal(files->n, n);
    for (size_t i = 0; i < files->n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", name, files->items[i].string);
        free(expect_file(path));
    }
}

TEST(json_lists_what_was_written)
{
    const char *dir = temp_path("listed");
    json *d = assert_json("inferno", "backend", "new", "mine", dir, "--json");
    expect_listed(d, dir, "listed", 5);
    json_free(d);
    dir = temp_path("listed_device");
    d = assert_json("inferno", "backend", "new", "--device", "mine", dir, "--json");
    expect_listed(d, dir, "listed_device", 8);
    json_free(d);
}

TEST(the_directory_is_the_name_unless_given)
{
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(temp_path("")), 0);
    program p = program_run("inferno", "backend", "new", "mine");
    assert_int_equal(chdir(before), 0);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "mine/CMakeLists.txt\nmine/mine.c\nmine/README.md\nmine/.gitignore\n"
                               "mine/.github/workflows/conform.yml\n\nNext:\n"
                               "    cmake -S mine -B mine/build\n    cmake --build mine/build\n"
                               "    ctest --test-dir mine/build --output-on-failure\n"
                               "Where inferno is installed in a place of its own, the first takes "
                               "-DCMAKE_PREFIX_PATH=PLACE, too.\n");
    free(expect_file("mine/mine.c"));
    program_free(&p);
}

TEST(a_directory_in_use_is_refused)
{
    const char *dir = temp_path("used");
    json_free(assert_json("inferno", "backend", "new", "mine", dir, "--json"));
    assert_refused(2, "used: is not empty", "inferno", "backend", "new", "other", dir);
    assert_int_equal(access(temp_path("used/other.c"), F_OK), -1);
}

TEST(a_place_that_is_not_there_is_told)
{
    assert_refused(1, "no such file or directory", "inferno", "backend", "new", "mine",
                   temp_path("nowhere/mine"));
}

TEST(names_that_would_not_build_are_refused)
{
    static const char *const wrong[] = {"", "Mine", "2nd", "_x", "a.b", "a b", "../a", "a/b"};
    for (size_t i = 0; i < N_OF(wrong); i++)
        assert_refused(2, "is no name", "inferno", "backend", "new", wrong[i], temp_path("no"));
    assert_refused(2, "is no name", "inferno", "backend", "new",
                   "a234567890123456789012345678901234567890123456789012345678901234",
                   temp_path("no"));
    assert_refused(2, "'test' is a target", "inferno", "backend", "new", "test", temp_path("no"));
    assert_refused(2, "'scalar' is there already", "inferno", "backend", "new", "scalar",
                   temp_path("no"));
    assert_int_equal(access(temp_path("no"), F_OK), -1);
}

TEST(backend_alone_prints_its_usage)
{
    program p = program_run("inferno", "backend");
    assert_int_equal(p.status, 2);
    assert_int_equal(p.out_bytes, 0);
    assert_non_null(strstr(p.err, "usage: inferno backend [options] new NAME [DIR]"));
    program_free(&p);
}

TEST(what_is_not_new_is_refused)
{
    assert_refused(2, "'old', expected new NAME [DIR]", "inferno", "backend", "old", "mine");
    assert_refused(2, "'nope', expected new NAME [DIR]", "inferno", "backend", "nope");
    assert_refused(2, "too few arguments", "inferno", "backend", "new");
    assert_refused(2, "too many arguments", "inferno", "backend", "new", "a", "b", "c");
}
