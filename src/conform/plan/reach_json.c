/* The certificate of one op on one backend in JSON: spec/report.schema.yaml explains the keys. */
#include "reach_json.h"

#include <string.h>

static const char *const forms[] = {"raw", "prepared", "any"};

static const char *dtype_text(int32_t dtype)
{
    return dtype == REACH_ANY_DTYPE ? "any" : ifn_dtype_name((ifn_dtype)dtype);
}

/* The length of a list without the zeros at its end; 0: all are zero. */
static int length_of(const reach_row *row, reach_kind kind, int list)
{
    int n = reach_length_of(kind);
    while (n > 0 && row->at[reach_class(kind, list, n - 1)] == 0)
        n--;
    return n;
}

static void put_kind(ifn_op op, const reach_row *row, reach_kind kind, json_writer *out)
{
    int n_lists = 0;
    for (int list = 0; list < reach_lists_of(kind); list++) {
        char room[64];
        const int n = length_of(row, kind, list);
        if (n == 0)
            continue;
        if (n_lists++ == 0) {
            json_key(out, reach_kind_name(kind));
            json_begin_object(out);
        }
        json_key(out, reach_list_name(op, kind, list, room, sizeof room));
        json_begin_array(out);
        for (int i = 0; i < n; i++)
            json_put_int(out, row->at[reach_class(kind, list, i)]);
        json_end_array(out);
    }
    if (n_lists)
        json_end_object(out);
}

static void put_table(const char *key, ifn_op op, const reach_table *table, json_writer *out)
{
    json_key(out, key);
    json_begin_array(out);
    for (int i = 0; i < table->n; i++) {
        const reach_row *const row = &table->rows[i];
        json_line(out, 6);
        json_begin_object(out);
        json_member(out, "dtype", dtype_text(row->key.dtype));
        json_member(out, "weights", forms[row->key.form]);
        json_member(out, "out", dtype_text(row->key.out));
        for (int kind = 0; kind < REACH_KIND_COUNT; kind++)
            put_kind(op, row, (reach_kind)kind, out);
        json_end_object(out);
    }
    json_end_array(out);
}

void conform_reach_put(const conform_reach *self, ifn_op op, json_writer *out)
{
    json_begin_object(out);
    put_table("reached", op, &self->reached, out);
    put_table("refused", op, &self->refused, out);
    put_table("needed", op, &self->needed, out);
    json_end_object(out);
}

/* --- and back --- */

typedef struct reader {
    ifn_op op;
    reach_table *table;
    reach_row row;
    reach_kind kind;
    int list, n;
} reader;

static ifn_status read_dtype(spec_doc *doc, spec_node *value, int32_t *out)
{
    ifn_dtype dtype;
    const char *const name = spec_node_text(value);
    *out = REACH_ANY_DTYPE;
    if (strcmp(name, "any") == 0)
        return IFN_OK;
    if (!ifn_dtype_from_name(name, &dtype))
        return spec_doc_fail(doc, value, "'%.40s' is no dtype", name);
    *out = (int32_t)dtype;
    return IFN_OK;
}

static ifn_status read_form(spec_doc *doc, spec_node *value, int32_t *out)
{
    for (*out = 0; *out <= REACH_ANY_FORM; ++*out)
        if (strcmp(spec_node_text(value), forms[*out]) == 0)
            return IFN_OK;
    return spec_doc_fail(doc, value, "'%.40s', expected raw, prepared or any",
                         spec_node_text(value));
}

static ifn_status read_number(spec_doc *doc, spec_node *value, void *cookie)
{
    reader *const r = cookie;
    return spec_doc_count(doc, value, 0, &r->row.at[reach_class(r->kind, r->list, r->n++)]);
}

/* Ignores lists that this version does not know, as read_row_key ignores keys. */
static ifn_status read_list(spec_doc *doc, spec_node *key, spec_node *value, void *cookie)
{
    reader *const r = cookie;
    for (r->list = 0; r->list < reach_lists_of(r->kind); r->list++) {
        char room[64];
        const char *const name = reach_list_name(r->op, r->kind, r->list, room, sizeof room);
        if (!name || strcmp(name, spec_node_text(key)) != 0)
            continue;
        r->n = 0;
        return spec_doc_list(doc, value, reach_length_of(r->kind), read_number, r);
    }
    return IFN_OK;
}

static ifn_status read_row_key(spec_doc *doc, spec_node *key, spec_node *value, void *cookie)
{
    reader *const r = cookie;
    const char *const name = spec_node_text(key);
    if (strcmp(name, "dtype") == 0)
        return read_dtype(doc, value, &r->row.key.dtype);
    if (strcmp(name, "weights") == 0)
        return read_form(doc, value, &r->row.key.form);
    if (strcmp(name, "out") == 0)
        return read_dtype(doc, value, &r->row.key.out);
    for (int kind = 0; kind < REACH_KIND_COUNT; kind++)
        if (strcmp(name, reach_kind_name((reach_kind)kind)) == 0) {
            r->kind = (reach_kind)kind;
            return spec_doc_pairs(doc, value, read_list, r);
        }
    return IFN_OK;
}

static ifn_status read_row(spec_doc *doc, spec_node *item, void *cookie)
{
    reader *const r = cookie;
    r->row = (reach_row){.key = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE}};
    IFN_TRY(spec_doc_pairs(doc, item, read_row_key, r));
    *reach_row_of(r->table, r->row.key) = r->row;
    return IFN_OK;
}

typedef struct place {
    ifn_op op;
    conform_reach *reach;
} place;

static ifn_status read_table(spec_doc *doc, spec_node *key, spec_node *value, void *cookie)
{
    enum { MOST_ROWS = 4096 };
    const place *const p = cookie;
    const char *const name = spec_node_text(key);
    reader r = {.op = p->op};
    if (strcmp(name, "reached") == 0)
        r.table = &p->reach->reached;
    else if (strcmp(name, "refused") == 0)
        r.table = &p->reach->refused;
    else if (strcmp(name, "needed") == 0)
        r.table = &p->reach->needed;
    return r.table ? spec_doc_list(doc, value, MOST_ROWS, read_row, &r) : IFN_OK;
}

ifn_status conform_reach_read(spec_doc *doc, spec_node *node, ifn_op op, conform_reach *out)
{
    return spec_doc_pairs(doc, node, read_table, &(place){op, out});
}
