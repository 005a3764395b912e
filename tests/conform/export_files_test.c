#include <string.h>

#include "export.h"
#include "test.h"

static void tensors_of_blocks_are_bytes(void **state)
{
    (void)state;
    const conform_tensor blocks = {
        .element = ELEMENT_BLOCKS, .dtype = IFN_DTYPE_Q8_0, .rows = 3, .cols = 64, .stride = 5};
    const conform_tensor ids = {.element = ELEMENT_I32, .rows = 1, .cols = 7, .stride = 7};
    const npy_matrix m = export_matrix(&blocks);
    assert_string_equal(m.descr, "|u1");
    assert_int_equal(m.cols, 68);
    assert_int_equal(export_stride(&blocks), 170);
    assert_string_equal(export_matrix(&ids).descr, "<i4");
}

static void paths_too_long_are_an_error(void **state)
{
    (void)state;
    ifn_error err = {0};
    char path[EXPORT_PATH_BYTES], dir[EXPORT_PATH_BYTES];
    assert_ok(export_path(path, "d", "0001", "out", ".npy", &err), err);
    assert_string_equal(path, "d/0001/out.npy");
    memset(dir, 'd', sizeof dir - 1);
    dir[sizeof dir - 1] = '\0';
    assert_int_equal(export_path(path, dir, "0001", "out", ".npy", &err), IFN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(tensors_of_blocks_are_bytes),
        RUN(paths_too_long_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
