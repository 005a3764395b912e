/* What export and judge agree about. */
#include <stdio.h>

#include "export.h"

static int is_f32(const conform_tensor *t)
{
    return t->element == ELEMENT_F32 || (t->element == ELEMENT_BLOCKS && t->dtype == IFN_DTYPE_F32);
}

npy_matrix export_matrix(const conform_tensor *t)
{
    if (is_f32(t))
        return (npy_matrix){"<f4", t->rows, t->cols};
    if (t->element == ELEMENT_I32)
        return (npy_matrix){"<i4", t->rows, t->cols};
    if (t->element == ELEMENT_BYTES)
        return (npy_matrix){"|u1", t->rows, t->cols};
    return (npy_matrix){"|u1", t->rows, (int64_t)ifn_dtype_row_bytes(t->dtype, t->cols)};
}

size_t export_stride(const conform_tensor *t)
{
    if (t->element == ELEMENT_BYTES)
        return (size_t)t->stride;
    if (t->element == ELEMENT_BLOCKS)
        return (size_t)t->stride * ifn_dtype_block_bytes(t->dtype);
    return (size_t)t->stride * 4;
}

int export_is_input(const conform_slot *s, int i)
{
    const conform_tensor *t = &s->layout.t[i];
    return !t->absent && (!s->is_written[i] || t->role == ROLE_INOUT);
}

int export_is_output(const conform_slot *s, int i)
{
    return !s->layout.t[i].absent && (s->truth[i].want || s->truth[i].raw);
}

ifn_status export_path(char out[EXPORT_PATH_BYTES], const char *dir, const char *folder,
                       const char *tensor, const char *ending, ifn_error *err)
{
    const int n = snprintf(out, EXPORT_PATH_BYTES, "%s/%s/%s%s", dir, folder, tensor, ending);
    if (n < 0 || n >= EXPORT_PATH_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%.100s: the path is too long", dir);
    return IFN_OK;
}
