/* The format of files that export writes and judge reads. */
#include <stdio.h>
#include <string.h>

#include "attention_dims.h"
#include "declared.h"
#include "export.h"
#include "expression.h"
#include "flushed.h"
#include "shortened.h"

static bool is_f32(const conform_tensor *t)
{
    return t->element == ELEMENT_F32 || (t->element == ELEMENT_BLOCKS && t->dtype == IFN_DTYPE_F32);
}

/* Sets the shape of the spec if it states one with `n` elements; else a single row becomes a vector. */
static void set_shape(npy_matrix *m, const spec_op *spec, const spec_arg *arg,
                      const conform_case *c, int64_t n)
{
    m->n_shape = arg ? conform_shape_of(spec, c, arg, n, m->shape) : 0;
    if (!m->n_shape && m->rows == 1)
        m->shape[0] = m->cols, m->n_shape = 1;
}

npy_matrix export_elements(const spec_op *spec, const conform_case *c, const conform_tensor *t,
                           const char *descr)
{
    npy_matrix m = {.descr = descr, .rows = t->rows, .cols = t->cols};
    set_shape(&m, spec, spec_find_arg(spec, t->name), c, t->rows * t->cols);
    return m;
}

static const char *descr_of(const conform_tensor *t)
{
    return is_f32(t) ? "<f4" : t->element == ELEMENT_I32 ? "<i4" : "|u1";
}

npy_matrix export_matrix(const spec_op *spec, const conform_case *c, const conform_tensor *t)
{
    npy_matrix m = export_elements(spec, c, t, descr_of(t));
    if (t->element != ELEMENT_BLOCKS || is_f32(t))
        return m;
    m.cols = (int64_t)ifn_dtype_row_bytes(t->dtype, t->cols);
    if (m.n_shape) {
        int64_t *const last = &m.shape[m.n_shape - 1];
        *last = (int64_t)ifn_dtype_row_bytes(t->dtype, *last);
    }
    return m;
}

npy_matrix export_bytes(const npy_matrix *m)
{
    npy_matrix bytes = *m;
    const int64_t size = m->descr[2] - '0';
    bytes.descr = "|u1";
    bytes.cols *= size;
    if (bytes.n_shape)
        bytes.shape[bytes.n_shape - 1] *= size;
    return bytes;
}

conform_case export_case_of(const conform_case *c)
{
    conform_case one = *c;
    one.prepared = one.alias = 0;
    if (one.op == IFN_OP_ATTENTION)
        one.dim[ATTENTION_CUT_KEYS] = 0; /* each backend has its own format between phases */
    return one;
}

conform_slot export_slot_under(const conform_slot *s, const conform_options *o, conform_pool *pool)
{
    const conform_declared d = conform_declared_as((uint32_t)o->products, o->ftz, &s->c);
    conform_truth truth[CONFORM_MAX_TENSORS];
    conform_slot out = *conform_slot_shortened(s, &d, pool);
    if (!conform_declared_differ(&d))
        return out;
    conform_truth_under(&out, &d, pool, truth);
    memcpy(out.truth, truth, sizeof truth);
    return out;
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
