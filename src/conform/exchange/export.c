#include "export.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_scalars.h"
#include "case_id.h"
#include "case_pool.h"
#include "complain.h"
#include "directory.h"
#include "json_writer.h"
#include "messages.h"
#include "output_file.h"
#include "selection.h"

enum { NAME_BYTES = 128 }; /* "<folder>/<file>" */

typedef struct exporter {
    conform_options options;
    conform_selection selection;
    directory dir;
    conform_pool pool;
    FILE *index; /* in memory */
    int64_t n_cases;
    bool is_writing;
} exporter;

static const char *class_name(conform_class class)
{
    static const char *const names[] = {"bits", "raw", "bound", "decoded", "quality"};
    return names[class];
}

typedef struct rows {
    const npy_matrix *matrix;
    const void *data;
    size_t stride;
} rows;

static void put_rows(const void *what, FILE *out)
{
    const rows *const r = what;
    npy_put(r->matrix, r->data, r->stride, out);
}

/* Writes one file of a tensor, and its name into the index. */
static ifn_status put_file(exporter *e, const char *folder, const char *key, const char *tensor,
                           const char *ending, const npy_matrix *m, const void *data, size_t stride,
                           ifn_error *err)
{
    char name[NAME_BYTES], *bytes;
    size_t n_bytes;
    const rows what = {m, data, stride};
    snprintf(name, sizeof name, "%s/%s%s", folder, tensor, ending);
    fprintf(e->index, ", %s: %s%s", key, tensor, ending);
    IFN_TRY(conform_collect(put_rows, &what, &bytes, &n_bytes, err));
    const ifn_status status = directory_add(&e->dir, name, bytes, n_bytes, err);
    free(bytes);
    return status;
}

/* Writes the truth of a tensor that is compared as bytes; with a mask only the bits in it are compared. */
static ifn_status put_raw_truth(exporter *e, const char *folder, const conform_slot *s, int i,
                                ifn_error *err)
{
    const conform_tensor *const t = &s->layout.t[i];
    const conform_truth *const truth = &s->truth[i];
    const npy_matrix m = export_matrix(e->selection.specs[s->c.op], &s->c, t);
    const size_t stride = export_stride(t);
    const npy_matrix bytes = export_bytes(&m);
    IFN_TRY(put_file(e, folder, "truth", t->name, ".truth.npy", &m, truth->raw, stride, err));
    if (!truth->raw_mask)
        return IFN_OK;
    return put_file(e, folder, "mask", t->name, ".mask.npy", &bytes, truth->raw_mask, stride, err);
}

static ifn_status put_truth(exporter *e, const char *folder, const conform_slot *s, int i,
                            ifn_error *err)
{
    const conform_tensor *const t = &s->layout.t[i];
    const conform_truth *const truth = &s->truth[i];
    const spec_op *const spec = e->selection.specs[s->c.op];
    const npy_matrix f64 = export_elements(spec, &s->c, t, "<f8"),
                     u8 = export_elements(spec, &s->c, t, "|u1");
    const size_t stride = (size_t)t->cols * sizeof(double);
    fprintf(e->index, ", class: %s", class_name(truth->class));
    if (truth->class == CLASS_RAW)
        return put_raw_truth(e, folder, s, i, err);
    IFN_TRY(put_file(e, folder, "truth", t->name, ".truth.npy", &f64, truth->want, stride, err));
    if (truth->class != CLASS_BITS)
        IFN_TRY(
            put_file(e, folder, "bound", t->name, ".bound.npy", &f64, truth->bound, stride, err));
    if (truth->skip)
        IFN_TRY(put_file(e, folder, "skip", t->name, ".skip.npy", &u8, truth->skip, (size_t)t->cols,
                         err));
    return IFN_OK;
}

static void put_shape(exporter *e, const npy_matrix *m)
{
    for (int i = 0; i < m->n_shape; i++)
        fprintf(e->index, "%s%lld", i ? ", " : "", (long long)m->shape[i]);
    if (!m->n_shape)
        fprintf(e->index, "%lld, %lld", (long long)m->rows, (long long)m->cols);
    fputc(']', e->index);
}

static ifn_status put_tensor(exporter *e, const char *folder, const conform_slot *s, int i,
                             ifn_error *err)
{
    const conform_tensor *t = &s->layout.t[i];
    const npy_matrix m = export_matrix(e->selection.specs[s->c.op], &s->c, t);
    const bool is_input = export_is_input(s, i), is_output = export_is_output(s, i);
    if (!is_input && !is_output)
        return IFN_OK;
    fprintf(e->index, "      - {name: %s, role: %s, dtype: \"%s\", shape: [", t->name,
            is_input && is_output ? "inout"
            : is_input            ? "in"
                                  : "out",
            m.descr);
    put_shape(e, &m);
    if (t->element == ELEMENT_BLOCKS)
        fprintf(e->index, ", blocks: %s", ifn_dtype_name(t->dtype));
    if (is_input)
        IFN_TRY(
            put_file(e, folder, "file", t->name, ".npy", &m, s->before[i], export_stride(t), err));
    if (is_output) {
        IFN_TRY(put_truth(e, folder, s, i, err));
        fprintf(e->index, ", got: %s.got.npy", t->name);
    }
    fputs("}\n", e->index);
    return IFN_OK;
}

static void put_dims(exporter *e, const conform_case *c)
{
    const conform_module *m = conform_module_of(c->op);
    fputs("    dims: {", e->index);
    for (int d = 0; d < CONFORM_MAX_DIMS && m->dim_names[d]; d++)
        fprintf(e->index, "%s%s: %lld", d ? ", " : "", m->dim_names[d], (long long)c->dim[d]);
    fputs("}\n", e->index);
}

static ifn_status put_case(exporter *e, const conform_slot *s, ifn_error *err)
{
    char id[CONFORM_ID_BYTES], folder[24];
    conform_call call = {0};
    conform_case_id(&s->c, id);
    snprintf(folder, sizeof folder, "%04lld", (long long)e->n_cases++);
    IFN_TRY(directory_folder(&e->dir, folder, err));
    IFN_TRY(conform_slot_bind(s, s->before, &call, err));
    fprintf(e->index, "  - id: \"%s\"\n    folder: \"%s\"\n    op: %s\n", id, folder,
            ifn_op_name(s->c.op));
    fprintf(e->index, "    dtype: %s\n    out_dtype: %s\n", ifn_dtype_name(s->c.dtype),
            ifn_dtype_name(s->c.out_dtype));
    put_dims(e, &s->c);
    fputs("    scalars: {", e->index);
    conform_put_scalars(s->c.op, &call, e->index);
    fputs("}\n    tensors:\n", e->index);
    for (int i = 0; i < s->layout.n; i++)
        IFN_TRY(put_tensor(e, folder, s, i, err));
    return IFN_OK;
}

/* Exports a case; skips a call that must be refused, as it has no values. */
static ifn_status export_case(exporter *e, const conform_case *planned, ifn_error *err)
{
    conform_slot slot;
    const conform_case c = export_case_of(planned);
    if (c.tier == TIER_REFUSE)
        return IFN_OK;
    conform_pool_reset(&e->pool);
    const ifn_status status =
        conform_slot_build(&slot, &e->pool, &c, e->selection.specs[c.op], NULL, err);
    if (status != IFN_OK)
        return status == IFN_ERR_SHAPE ? IFN_OK : status; /* the op has no such case: skipped */
    slot = export_slot_under(&slot, &e->options, &e->pool);
    return put_case(e, &slot, err);
}

static ifn_status export_op(exporter *e, int op, ifn_error *err)
{
    conform_plan plan;
    ifn_status status = IFN_OK;
    IFN_TRY(conform_selection_plan(&e->selection, (ifn_op)op, &plan, err));
    for (int64_t i = 0; i < plan.n && status == IFN_OK; i++)
        status = export_case(e, &plan.cases[i], err);
    conform_plan_close(&plan);
    return status;
}

/* Writes the options that select the cases, from which `conform judge` plans them again. Leaves out --spec, which the
 * user passes to judge as well. */
static void put_words(exporter *e)
{
    const conform_options *const o = &e->options;
    json_writer words = {.out = e->index};
    fputs("plan: ", e->index);
    json_begin_array(&words);
    for (int i = 2; i < o->argc; i++) {
        const bool is_spec = strncmp(o->argv[i], "--spec", 6) == 0;
        if (!is_spec && o->argv[i] != o->words[0])
            json_put_string(&words, o->argv[i]);
        i += is_spec && !strchr(o->argv[i], '=');
    }
    json_end_array(&words);
    json_finish(&words);
}

static ifn_status export_cases(exporter *e, ifn_error *err)
{
    fputs("# Rows have no gaps, whatever the strides of the op. Put each output beside its truth, "
          "as `got`.\ninferno: export/2\n",
          e->index);
    put_words(e);
    fputs("cases:\n", e->index);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        IFN_TRY(export_op(e, op, err));
    if (e->n_cases == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "these filters select no case of any op");
    return IFN_OK;
}

static ifn_status write_index(exporter *e, ifn_error *err)
{
    char *text = NULL;
    size_t bytes;
    e->index = open_memstream(&text, &bytes);
    if (!e->index)
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory for the index");
    ifn_status status = export_cases(e, err);
    const int failed = ferror(e->index);
    if ((fclose(e->index) != 0 || failed) && status == IFN_OK)
        status = ifn_fail(err, IFN_ERR_NOMEM, "no memory for the index");
    if (status == IFN_OK)
        status = directory_add(&e->dir, "index.yaml", text, bytes, err);
    free(text);
    return status;
}

static ifn_status export_all(exporter *e, const char *dir, ifn_error *err)
{
    IFN_TRY(conform_selection_open(&e->selection, &e->options, err));
    e->is_writing = 1;
    IFN_TRY(directory_open(&e->dir, dir, err));
    ifn_status status = write_index(e, err);
    if (status == IFN_OK)
        status = directory_finish(&e->dir, err);
    directory_discard(&e->dir);
    return status;
}

int conform_export_main(const conform_options *options)
{
    exporter e = {.options = *options};
    ifn_error err = {0};
    conform_pool_init(&e.pool);
    const ifn_status status = export_all(&e, options->words[0], &err);
    conform_pool_fini(&e.pool);
    conform_selection_close(&e.selection);
    if (status != IFN_OK)
        return conform_complain("conform export", &err, e.is_writing);
    printf("%lld cases\n", (long long)e.n_cases);
    return EXIT_DONE;
}
