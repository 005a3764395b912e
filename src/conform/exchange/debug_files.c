/* Writes inputs, truth, bounds and results of a case as .npy files, named as by `conform export`. */
#include <stdlib.h>

#include "debug.h"
#include "directory.h"
#include "export.h"
#include "output_file.h"

typedef struct matrix {
    npy_matrix form;
    const void *data;
    size_t stride;
} matrix;

static void put_matrix(const void *what, FILE *out)
{
    const matrix *const m = what;
    npy_put(&m->form, m->data, m->stride, out);
}

static ifn_status add(directory *dir, const char *tensor, const char *ending, const matrix *m,
                      ifn_error *err)
{
    char name[96], *bytes;
    size_t n;
    snprintf(name, sizeof name, "%s%s", tensor, ending);
    IFN_TRY(conform_collect(put_matrix, m, &bytes, &n, err));
    const ifn_status status = directory_add(dir, name, bytes, n, err);
    free(bytes);
    return status;
}

static ifn_status add_truth(directory *dir, const debug_run *r, int i, const matrix *raw,
                            ifn_error *err)
{
    const conform_tensor *const t = &r->slot->layout.t[i];
    const conform_truth *const truth = &r->truth[i];
    const npy_matrix f64 = export_elements(r->spec, &r->slot->c, t, "<f8");
    const size_t stride = (size_t)t->cols * sizeof(double);
    if (truth->class == CLASS_RAW)
        return add(dir, t->name, ".truth.npy", &(matrix){raw->form, truth->raw, raw->stride}, err);
    IFN_TRY(add(dir, t->name, ".truth.npy", &(matrix){f64, truth->want, stride}, err));
    if (!truth->bound)
        return IFN_OK;
    return add(dir, t->name, ".bound.npy", &(matrix){f64, truth->bound, stride}, err);
}

static ifn_status add_tensor(directory *dir, const debug_run *r, int i, ifn_error *err)
{
    const conform_tensor *const t = &r->slot->layout.t[i];
    const matrix m = {export_matrix(r->spec, &r->slot->c, t), r->slot->before[i], export_stride(t)};
    if (export_is_input(r->slot, i))
        IFN_TRY(add(dir, t->name, ".npy", &m, err));
    if (export_is_output(r->slot, i))
        IFN_TRY(add_truth(dir, r, i, &m, err));
    if (r->got[i])
        IFN_TRY(add(dir, t->name, ".got.npy", &(matrix){m.form, r->got[i], m.stride}, err));
    return IFN_OK;
}

ifn_status debug_write_files(const debug_run *r, const char *path, ifn_error *err)
{
    directory dir;
    ifn_status status = IFN_OK;
    IFN_TRY(directory_open(&dir, path, err));
    for (int i = 0; i < r->slot->layout.n && status == IFN_OK; i++)
        status = add_tensor(&dir, r, i, err);
    if (status == IFN_OK)
        status = directory_finish(&dir, err);
    directory_discard(&dir);
    return status;
}
