#include "selection.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case_id.h"
#include "spec_dir.h"
#include "spec_doc.h"

static bool is_file(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static ifn_status read_kind(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    const char *name, *text;
    IFN_TRY(spec_doc_text(doc, key, &name));
    if (strcmp(name, "inferno") != 0)
        return IFN_OK;
    IFN_TRY(spec_doc_text(doc, value, &text));
    *(bool *)into = strcmp(text, "cases/1") == 0;
    return IFN_OK;
}

/* Finds whether a file has kind cases/1. Any other file is read as a spec, whose reader reports errors. */
static ifn_status holds_cases(const char *path, bool *out, ifn_error *err)
{
    spec_doc doc;
    *out = false;
    IFN_TRY(spec_doc_open(&doc, path, err));
    const ifn_status status = spec_doc_pairs(&doc, spec_doc_root(&doc), read_kind, out);
    spec_doc_close(&doc);
    return status;
}

/* Refuses options that draw cases or set sizes, as a file of cases determines both. */
static ifn_status check_filters(const conform_options *o, const char *path, ifn_error *err)
{
    if (o->n_shape || o->filter.n_dtypes || o->filter.n_cases || o->filter.n_shards)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%s: %.100s is a file of cases, expected --op or --case beside it only",
                        path == o->id ? "--case" : "--spec", path);
    return IFN_OK;
}

static ifn_status read_spec(conform_selection *self, const char *path, ifn_error *err)
{
    spec_op *spec;
    IFN_TRY(spec_op_read(path, &spec, err));
    self->only = (int)spec->op;
    spec_op_free(self->specs[spec->op]);
    self->specs[spec->op] = spec;
    return IFN_OK;
}

static ifn_status read_file(conform_selection *self, const char *path, ifn_error *err)
{
    bool has_cases;
    IFN_TRY(holds_cases(path, &has_cases, err));
    if (!has_cases && self->is_case_a_file)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--case: found the file %.100s, expected one of cases, or the id of one",
                        path);
    if (!has_cases)
        return read_spec(self, path, err);
    IFN_TRY(check_filters(self->options, path, err));
    return conform_cases_read(path, self->specs, &self->cases, err);
}

static bool is_wanted(const conform_selection *self, ifn_op op)
{
    const conform_options *o = self->options;
    if (self->only >= 0 && self->only != (int)op)
        return false;
    for (int i = 0; i < o->n_ops; i++)
        if (o->ops[i] == op)
            return true;
    return o->n_ops == 0;
}

static bool has_dtype(const spec_op *spec, ifn_dtype dtype)
{
    for (int i = 0; i < spec->n_dtypes; i++)
        if (spec->dtypes[i] == dtype)
            return true;
    for (int i = 0; i < spec->n_out_dtypes; i++)
        if (spec->out_dtypes[i] == dtype)
            return true;
    return false;
}

/* Requires that each --dtype is a dtype of weights, cache, table or output of a selected op. */
static ifn_status check_dtypes(const conform_selection *self, ifn_error *err)
{
    const conform_filter *const w = &self->options->filter;
    for (int i = 0; i < w->n_dtypes; i++) {
        int found = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            found |= self->specs[op] && is_wanted(self, (ifn_op)op) &&
                     has_dtype(self->specs[op], w->dtypes[i]);
        if (!found)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "--dtype: found %s, expected a dtype that weights, cache, table or "
                            "output of %s can have",
                            ifn_dtype_name(w->dtypes[i]),
                            self->options->n_ops == 1 ? ifn_op_name(self->options->ops[0])
                                                      : "the ops chosen");
    }
    return IFN_OK;
}

/* Returns whether the spec of an op is needed. An id needs that of its op; a file may hold cases of any op. */
static bool needs_spec(const conform_selection *self, ifn_op op)
{
    const conform_options *const o = self->options;
    conform_case c;
    if (is_file(o->spec) || self->is_case_a_file)
        return true;
    if (o->id && conform_case_parse(o->id, &c, NULL))
        return c.op == op;
    return is_wanted(self, op);
}

static ifn_status read_specs(conform_selection *self, const char *dir, ifn_error *err)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (needs_spec(self, (ifn_op)op))
            IFN_TRY(spec_read_op(dir, (ifn_op)op, &self->specs[op], err));
    return IFN_OK;
}

ifn_status conform_selection_open(conform_selection *self, const conform_options *o, ifn_error *err)
{
    char dir[SPEC_DIR_BYTES];
    const int file = is_file(o->spec);
    *self = (conform_selection){.options = o, .only = -1, .is_case_a_file = is_file(o->id)};
    if (file && self->is_case_a_file)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--spec: found the file %.100s beside a file of --case, expected one file",
                        o->spec);
    if (o->values && (!o->id || file || self->is_case_a_file))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--values: found no --case ID beside it, expected the id of the case whose "
                        "values these are");
    IFN_TRY(conform_spec_dir(file ? NULL : o->spec, dir, err));
    IFN_TRY(read_specs(self, dir, err));
    IFN_TRY(check_dtypes(self, err));
    if (o->values)
        return conform_cases_read_values(o->id, o->values, self->specs, &self->cases, err);
    if (!file && !self->is_case_a_file)
        return IFN_OK;
    return read_file(self, file ? o->spec : o->id, err);
}

void conform_selection_close(conform_selection *self)
{
    spec_free_all(self->specs);
    conform_cases_free(&self->cases);
}

/* Applies --shape to the dimensions that it names. Returns 0 if the op lacks one of them. */
static int apply_shape(const conform_options *o, ifn_op op, conform_filter *filter)
{
    const conform_module *m = conform_module_of(op);
    for (int i = 0; i < o->n_shape; i++) {
        int found = 0;
        for (int d = 0; d < CONFORM_MAX_DIMS && m->dim_names[d]; d++) {
            if (strcmp(m->dim_names[d], o->shape[i].name) != 0)
                continue;
            filter->is_fixed[d] = found = 1;
            filter->fixed[d] = o->shape[i].size;
        }
        if (!found)
            return 0;
    }
    return 1;
}

static ifn_status take_cases(const conform_selection *self, ifn_op op, conform_plan *out,
                             ifn_error *err)
{
    out->cases = calloc((size_t)self->cases.n, sizeof *out->cases);
    if (!out->cases)
        return ifn_fail(err, IFN_ERR_NOMEM, "plan: no memory for %lld cases",
                        (long long)self->cases.n);
    for (int64_t i = 0; i < self->cases.n; i++)
        if (self->cases.cases[i].op == op) {
            out->cases[out->n++] = self->cases.cases[i];
            conform_plan_count(out, &self->cases.cases[i], 1);
        }
    return IFN_OK;
}

/* Checks the sizes of --shape: they may exceed those that are drawn, but not the limit of a case. */
static ifn_status check_sizes(conform_plan *plan, ifn_error *err)
{
    ifn_status status = IFN_OK;
    for (int64_t i = 0; i < plan->n && status == IFN_OK; i++)
        status = conform_case_check(&plan->cases[i], err);
    if (status != IFN_OK)
        conform_plan_close(plan);
    return status;
}

ifn_status conform_selection_plan(const conform_selection *self, ifn_op op, conform_plan *out,
                                  ifn_error *err)
{
    conform_filter filter = self->options->filter;
    *out = (conform_plan){0};
    if (!is_wanted(self, op) || !apply_shape(self->options, op, &filter))
        return IFN_OK;
    if (self->cases.cases)
        return take_cases(self, op, out, err);
    IFN_TRY(conform_plan_open(out, self->specs[op], &filter, err));
    return self->options->n_shape ? check_sizes(out, err) : IFN_OK;
}
