/* The reader of spec/ops/<op>.yaml: a table of keys for each kind of map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/version.h>

#include "spec_read.h"

static ifn_status read_kind(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    (void)into;
    IFN_TRY(spec_doc_text(doc, node, &text));
    return strcmp(text, IFN_SPEC_VERSION) == 0
               ? IFN_OK
               : spec_doc_fail(doc, node,
                               "'%.40s', expected " IFN_SPEC_VERSION ": kind and version", text);
}

static ifn_status read_op(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    return ifn_op_from_name(text, &spec->op)
               ? IFN_OK
               : spec_doc_fail(doc, node, "'%.40s' is no op, expected one as matmul", text);
}

static ifn_status read_formula(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_copy(doc, node, &((spec_op *)into)->formula);
}

static ifn_status read_source(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_copy(doc, node, &((spec_op *)into)->source);
}

static ifn_status read_no_law(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_copy(doc, node, &((spec_op *)into)->no_law);
}

static ifn_status add_legal(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    spec_op *spec = into;
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    if (strcmp(name, "dtype") == 0)
        return spec_read_dtype(doc, value, &spec->legal_dtype);
    if (strcmp(name, "out_dtype") == 0)
        return spec_read_dtype(doc, value, &spec->legal_out_dtype);
    const spec_dim *dim = spec_find_dim(spec, name);
    if (!dim)
        return spec_doc_fail(doc, key, "unknown key '%.40s', expected one of the dims above", name);
    return spec_doc_integer(doc, value, &spec->legal[dim - spec->dims]);
}

static ifn_status read_legal(spec_doc *doc, spec_node *node, void *into)
{
    spec_op *spec = into;
    for (int i = 0; i < spec->n_dims; i++)
        spec->legal[i] = INT64_MIN;
    IFN_TRY(spec_doc_pairs(doc, node, add_legal, into));
    for (int i = 0; i < spec->n_dims; i++)
        if (spec->legal[i] == INT64_MIN)
            return spec_doc_fail(doc, node, "no key '%s', expected one", spec->dims[i].name);
    return IFN_OK;
}

static ifn_status read_golden_list(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_ENTRIES, spec_read_golden, into);
}

static ifn_status read_refuse_list(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, SPEC_MAX_ENTRIES, spec_read_refuse, into);
}

static const spec_key op_keys[] = {
    {"inferno", 1, read_kind},
    {"op", 1, read_op},
    {"formula", 1, read_formula},
    {"source", 0, read_source},
    {"args", 1, spec_read_args},
    {"split", 1, spec_read_split},
    {"contract", 1, spec_read_contract},
    {"law", 0, spec_read_law},
    {"no_law", 0, read_no_law},
    {"dtypes", 0, spec_read_dtypes},
    {"out_dtypes", 0, spec_read_out_dtypes},
    {"dims", 1, spec_read_dims},
    {"regimes", 1, spec_read_regimes},
    {"always", 0, spec_read_always},
    {"golden", 1, read_golden_list},
    {"legal", 1, read_legal},
    {"refuse", 1, read_refuse_list},
};
static const spec_table op_table = {"op", op_keys, sizeof op_keys / sizeof *op_keys};

const spec_table *const *spec_op_tables(size_t *n)
{
    static const spec_table *const tables[] = {
        &op_table,          &spec_table_arg,    &spec_table_dim,   &spec_table_contract,
        &spec_table_golden, &spec_table_refuse, &spec_table_bytes, &spec_table_always,
    };
    *n = sizeof tables / sizeof tables[0];
    return tables;
}

const spec_key *spec_find_key(const spec_table *table, const char *name)
{
    for (size_t i = 0; i < table->n; i++)
        if (strcmp(table->keys[i].name, name) == 0)
            return &table->keys[i];
    return NULL;
}

const spec_dim *spec_find_dim(const spec_op *spec, const char *name)
{
    for (int i = 0; i < spec->n_dims; i++)
        if (strcmp(spec->dims[i].name, name) == 0)
            return &spec->dims[i];
    return NULL;
}

bool spec_dim_counts(const spec_dim *dim)
{
    for (int i = 0; i < dim->n_edges; i++)
        if (dim->edges[i] < 0)
            return false;
    return true;
}

bool spec_dim_is_size(const spec_dim *dim)
{
    const int64_t most_choices = 15;
    return dim->limit > most_choices;
}

/* True if `arg` names `name`: the arg "w_i" names w_0, w_1, ... */
static bool is_name_of(const char *arg, const char *name)
{
    const size_t n = strlen(name);
    const bool is_indexed = n > 2 && name[n - 2] == '_' && name[n - 1] >= '0' && name[n - 1] <= '9';
    if (strcmp(arg, name) == 0)
        return true;
    return is_indexed && strlen(arg) == n && strncmp(arg, name, n - 1) == 0 && arg[n - 1] == 'i';
}

const spec_arg *spec_find_arg(const spec_op *spec, const char *name)
{
    for (int i = 0; i < spec->n_args; i++)
        if (is_name_of(spec->args[i].name, name))
            return &spec->args[i];
    return NULL;
}

const spec_values *spec_find_values(const spec_entry *entry, const char *name)
{
    for (int i = 0; i < entry->n_values; i++)
        if (strcmp(entry->values[i].name, name) == 0)
            return &entry->values[i];
    return NULL;
}

static void default_dtypes(spec_op *spec)
{
    if (spec->n_dtypes == 0)
        spec->dtypes[spec->n_dtypes++] = IFN_DTYPE_F32;
    if (spec->n_out_dtypes == 0)
        spec->out_dtypes[spec->n_out_dtypes++] = IFN_DTYPE_F32;
}

static ifn_status read_spec(spec_doc *doc, spec_op *spec)
{
    IFN_TRY(spec_doc_map(doc, spec_doc_root(doc), op_keys, op_table.n, spec));
    default_dtypes(spec);
    return spec_check(doc, spec);
}

ifn_status spec_op_read(const char *path, spec_op **out, ifn_error *err)
{
    spec_doc doc;
    *out = NULL;
    IFN_TRY(spec_doc_open(&doc, path, err));
    spec_op *spec = calloc(1, sizeof *spec);
    const ifn_status status =
        spec ? read_spec(&doc, spec) : ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", path);
    spec_doc_close(&doc);
    if (status != IFN_OK)
        spec_op_free(spec);
    else
        *out = spec;
    return status;
}

void spec_op_free(spec_op *spec)
{
    if (!spec)
        return;
    for (int i = 0; i < spec->n_golden; i++)
        spec_entry_drop(&spec->golden[i]);
    for (int i = 0; i < spec->n_refuse; i++)
        spec_entry_drop(&spec->refuse[i]);
    free(spec->formula);
    free(spec->source);
    free(spec->no_law);
    free(spec->bound);
    free(spec);
}

ifn_status spec_read_op(const char *dir, ifn_op op, spec_op **out, ifn_error *err)
{
    char path[1024];
    const int n = snprintf(path, sizeof path, "%s/ops/%s.yaml", dir, ifn_op_name(op));
    if (n < 0 || (size_t)n >= sizeof path)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%.40s...: a path of %d bytes, expected at most %zu",
                        dir, n, sizeof path - 1);
    IFN_TRY(spec_op_read(path, out, err));
    if ((*out)->op == op)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT, "%s: op %s, expected %s as the file is called", path,
                    ifn_op_name((*out)->op), ifn_op_name(op));
}

ifn_status spec_read_all(const char *dir, spec_op *out[IFN_OP_COUNT], ifn_error *err)
{
    ifn_status status = IFN_OK;
    for (int i = 0; i < IFN_OP_COUNT; i++)
        out[i] = NULL;
    for (int i = 0; status == IFN_OK && i < IFN_OP_COUNT; i++)
        status = spec_read_op(dir, (ifn_op)i, &out[i], err);
    if (status != IFN_OK)
        spec_free_all(out);
    return status;
}

void spec_free_all(spec_op *specs[IFN_OP_COUNT])
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        spec_op_free(specs[i]);
        specs[i] = NULL;
    }
}
