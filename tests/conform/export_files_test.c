#include <string.h>

#include "export.h"
#include "test.h"

TEST(tensors_of_blocks_are_bytes)
{
    const conform_tensor blocks = {
        .element = ELEMENT_BLOCKS, .dtype = IFN_DTYPE_Q8_0, .rows = 3, .cols = 64, .stride = 5};
    const conform_tensor ids = {.element = ELEMENT_I32, .rows = 1, .cols = 7, .stride = 7};
    const spec_op spec = {.n_args = 0};
    const conform_case c = {.op = IFN_OP_ADD};
    const npy_matrix m = export_matrix(&spec, &c, &blocks), n = export_matrix(&spec, &c, &ids);
    assert_string_equal(m.descr, "|u1");
    assert_int_equal(m.cols, 68);
    assert_int_equal(m.n_shape, 0);
    assert_int_equal(export_stride(&blocks), 170);
    assert_string_equal(n.descr, "<i4");
    assert_true(n.n_shape == 1 && n.shape[0] == 7);
}

/* A case of add whose tensors have three dimensions. */
TEST(shapes_are_those_of_the_spec)
{
    const conform_case c = {.op = IFN_OP_MATMUL, .dim = {2, 3, 64}};
    const conform_tensor blocks = {.name = "a",
                                   .element = ELEMENT_BLOCKS,
                                   .dtype = IFN_DTYPE_Q8_0,
                                   .rows = 6,
                                   .cols = 64,
                                   .stride = 2};
    spec_op spec = {.n_args = 1,
                    .args = {{.name = "a", .n_shape = 3, .extent = {1, 2, 3}}},
                    .terms = {[1] = {.kind = TERM_DIM, .index = 0},
                              [2] = {.kind = TERM_DIM, .index = 1},
                              [3] = {.kind = TERM_DIM, .index = 2}}};
    const npy_matrix m = export_matrix(&spec, &c, &blocks), bytes = export_bytes(&m),
                     f64 = export_elements(&spec, &c, &blocks, "<f8");
    assert_true(m.n_shape == 3 && m.shape[0] == 2 && m.shape[1] == 3 && m.shape[2] == 68);
    assert_int_equal(npy_bytes(&m), 6 * 68);
    assert_true(bytes.n_shape == 3 && bytes.shape[2] == 68);
    assert_true(f64.n_shape == 3 && f64.shape[2] == 64);
    const npy_matrix four = export_bytes(&f64);
    assert_true(four.shape[2] == 512 && npy_bytes(&four) == npy_bytes(&f64));
    spec.terms[3] = (spec_term){.kind = TERM_NUMBER, .number = 7};
    assert_int_equal(export_matrix(&spec, &c, &blocks).n_shape, 0);
}

/* What a single call does with buffers of the harness (packed weights, aliases) has no file. */
TEST(cases_are_those_that_files_can_hold)
{
    const conform_case c = {.op = IFN_OP_ADD, .prepared = 1, .alias = 2, .seed = 5};
    const conform_case one = export_case_of(&c);
    assert_true(one.prepared == 0 && one.alias == 0 && one.seed == 5);
}

TEST(paths_too_long_are_an_error)
{
    ifn_error err = {0};
    char path[EXPORT_PATH_BYTES], dir[EXPORT_PATH_BYTES];
    assert_ok(export_path(path, "d", "0001", "out", ".npy", &err), err);
    assert_string_equal(path, "d/0001/out.npy");
    memset(dir, 'd', sizeof dir - 1);
    dir[sizeof dir - 1] = '\0';
    assert_int_equal(export_path(path, dir, "0001", "out", ".npy", &err), IFN_ERR_ARGUMENT);
}
