/*
 * Any bytes as an .npy file that should hold a certain matrix. An accepted file is written again and read back: the
 * values are the same.
 *
 * Input: dtype, rows, columns, then the file.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "npy.h"
#include "paths.h"

static int read_matrix(const char *path, const npy_matrix *m, void *out)
{
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = npy_read(path, m, out, &err);
    fuzz_expect_said(status, &err);
    return status == IFN_OK;
}

static void expect_again(const npy_matrix *m, const void *data)
{
    static char path[1024];
    const size_t bytes = npy_bytes(m);
    void *again = malloc(bytes + 1);
    if (!*path)
        snprintf(path, sizeof path, "%s", temp_path("again.npy"));
    FILE *const file = fopen(path, "wb");
    FUZZ_EXPECT(file);
    npy_put(m, data, bytes / (size_t)(m->rows ? m->rows : 1), file);
    FUZZ_EXPECT(fclose(file) == 0);
    FUZZ_EXPECT(again && read_matrix(path, m, again) && memcmp(again, data, bytes) == 0);
    free(again);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    static const char *const descrs[] = {"<f4", "<f8", "<i4", "|u1"};
    fuzz_bytes in = {data, bytes};
    npy_matrix m = {.descr = descrs[fuzz_below(&in, 4)]};
    m.rows = fuzz_below(&in, 5);
    m.cols = fuzz_below(&in, 5);
    /* Memory of exact size, so that a byte too many is noticed. */
    void *out = malloc(npy_bytes(&m));
    const int taken = read_matrix(fuzz_file(in.at, in.left), &m, out);
    if (taken)
        expect_again(&m, out);
    free(out);
    return taken;
}
