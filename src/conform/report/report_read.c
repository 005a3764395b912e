/* Reads a report back with the YAML parser, as JSON is a subset of YAML. Members that an older report lacks stay 0;
 * keys that this version does not know are skipped. */
#include "run_report.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/version.h>

#include "case_id.h"
#include "reach_json.h"
#include "report_fields.h"
#include "spec_doc.h"

/* Returns the value of a key; NULL: there is no such key, or the node is no map. */
static spec_node *find(spec_doc *doc, const spec_node *map, const char *key)
{
    if (map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
        if (strcmp(spec_node_text(yaml_document_get_node(&doc->tree, p->key)), key) == 0)
            return yaml_document_get_node(&doc->tree, p->value);
    return NULL;
}

static const char *text_at(spec_doc *doc, const spec_node *map, const char *key)
{
    const spec_node *node = find(doc, map, key);
    return node ? spec_node_text(node) : "";
}

static ifn_status read_number(spec_doc *doc, spec_node *node, double *out)
{
    static const struct {
        const char *name;
        double value;
    } beyond[] = {{"inf", (double)INFINITY}, {"-inf", -(double)INFINITY}, {"nan", (double)NAN}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (strcmp(spec_node_text(node), beyond[i].name) == 0) {
            *out = beyond[i].value;
            return IFN_OK;
        }
    return spec_doc_number(doc, node, out);
}

static ifn_status read_text(spec_doc *doc, spec_node *node, char *out, size_t bytes)
{
    if (node->type != YAML_SCALAR_NODE)
        return spec_doc_fail(doc, node, "a list or a map, expected text");
    snprintf(out, bytes, "%s", spec_node_text(node));
    return IFN_OK;
}

static ifn_status read_flag(spec_doc *doc, spec_node *node, int32_t *out)
{
    const char *const text = spec_node_text(node);
    *out = strcmp(text, "true") == 0;
    if (!*out && strcmp(text, "false") != 0)
        return spec_doc_fail(doc, node, "'%.40s', expected true or false", text);
    return IFN_OK;
}

static ifn_status read_hex(spec_doc *doc, spec_node *node, uint64_t *out)
{
    const char *const text = spec_node_text(node);
    const size_t digits = strspn(text, "0123456789abcdef");
    if (digits == 0 || digits > 16 || text[digits])
        return spec_doc_fail(doc, node, "'%.40s', expected up to 16 hexadecimal digits", text);
    *out = strtoull(text, NULL, 16);
    return IFN_OK;
}

typedef struct target {
    const report_fields *fields;
    char *into;
} target;

static ifn_status read_member(spec_doc *doc, spec_node *key, spec_node *value, void *cookie)
{
    const target *const t = cookie;
    const report_field *f = t->fields->field, *const end = f + t->fields->n;
    while (f < end && strcmp(f->key, spec_node_text(key)) != 0)
        f++;
    if (f == end)
        return IFN_OK;
    void *const member = t->into + f->offset;
    switch (f->kind) {
    case FIELD_COUNT:
        return spec_doc_count(doc, value, 0, member);
    case FIELD_INDEX:
        return spec_doc_count(doc, value, -1, member);
    case FIELD_NUMBER:
        return read_number(doc, value, member);
    case FIELD_TEXT:
        return read_text(doc, value, member, f->bytes);
    case FIELD_HEX:
        return read_hex(doc, value, member);
    default:
        return read_flag(doc, value, member);
    }
}

static ifn_status read_fields(spec_doc *doc, spec_node *map, const report_fields *fields,
                              void *into)
{
    return spec_doc_pairs(doc, map, read_member, &(target){fields, into});
}

/* The same for a map under `key`, which may be missing. */
static ifn_status read_fields_at(spec_doc *doc, const spec_node *map, const char *key,
                                 const report_fields *fields, void *into)
{
    spec_node *const node = find(doc, map, key);
    return node ? read_fields(doc, node, fields, into) : IFN_OK;
}

static ifn_status read_list_at(spec_doc *doc, const spec_node *map, const char *key, int max,
                               spec_reader *read, void *into)
{
    spec_node *const node = find(doc, map, key);
    if (!node)
        return spec_doc_fail(doc, map, "no key '%s', expected one", key);
    return spec_doc_list(doc, node, max, read, into);
}

/* Fails if a part is larger than its whole, as merge and the ranks would trust such a number. */
static ifn_status expect_part(spec_doc *doc, const spec_node *item, const char *what, int64_t part,
                              const char *whole, int64_t n)
{
    return part <= n ? IFN_OK
                     : spec_doc_fail(doc, item, "%s %lld, expected at most %s, %lld", what,
                                     (long long)part, whole, (long long)n);
}

static ifn_status read_evidence_at(spec_doc *doc, const spec_node *map, const char *key,
                                   conform_evidence *out)
{
    IFN_TRY(read_fields_at(doc, map, key, &report_evidence_fields, out));
    return expect_part(doc, map, "failed", out->failed, "executed", out->executed);
}

static ifn_status read_backend(spec_doc *doc, spec_node *item, void *cookie)
{
    conform_report *const out = cookie;
    const int s = out->n_tested++;
    snprintf(out->label[s], sizeof out->label[s], "%s", text_at(doc, item, "label"));
    snprintf(out->expression[s], sizeof out->expression[s], "%s", text_at(doc, item, "expression"));
    snprintf(out->said[s], sizeof out->said[s], "%s", text_at(doc, item, "level"));
    IFN_TRY(read_fields(doc, item, &report_binary_fields, &out->binary[s]));
    IFN_TRY(read_fields_at(doc, item, "planned", &report_planned_fields, &out->planned[s]));
    IFN_TRY(expect_part(doc, item, "cases planned", out->planned[s].cases, "whole",
                        out->planned[s].whole));
    return read_evidence_at(doc, item, "end_to_end", &out->end_to_end[s]);
}

static ifn_status read_problem(spec_doc *doc, spec_node *item, void *report)
{
    (void)doc;
    conform_report_problem(report, "%s", spec_node_text(item));
    return IFN_OK;
}

/* Reads the backend of an item. */
static ifn_status read_tested(spec_doc *doc, const spec_node *item, const conform_report *r,
                              int32_t *tested)
{
    const char *const backend = text_at(doc, item, "backend");
    *tested = conform_report_tested(r, backend);
    return *tested >= 0 ? IFN_OK
                        : spec_doc_fail(doc, item, "'%.40s' is not among its backends", backend);
}

/* Reads the op and the backend of an item. */
static ifn_status read_place(spec_doc *doc, const spec_node *item, const conform_report *r,
                             ifn_op *op, int32_t *tested)
{
    const char *const name = text_at(doc, item, "op");
    if (!ifn_op_from_name(name, op))
        return spec_doc_fail(doc, item, "'%.40s' is no op", name);
    return read_tested(doc, item, r, tested);
}

static ifn_status read_kind(spec_doc *doc, spec_node *item, void *cookie)
{
    conform_cell *const cell = cookie;
    const char *const name = text_at(doc, item, "dtype");
    ifn_dtype dtype;
    if (!ifn_dtype_from_name(name, &dtype))
        return spec_doc_fail(doc, item, "'%.40s' is no dtype", name);
    const int prepared = strcmp(text_at(doc, item, "weights"), "prepared") == 0;
    conform_kind *const kind = &cell->kinds[dtype][prepared];
    IFN_TRY(read_fields(doc, item, &report_kind_fields, kind));
    IFN_TRY(read_fields_at(doc, item, "bias", &report_mean_fields, &kind->bias));
    IFN_TRY(read_fields_at(doc, item, "outward", &report_mean_fields, &kind->outward));
    IFN_TRY(read_fields_at(doc, item, "lean", &report_mean_fields, &kind->lean));
    IFN_TRY(expect_part(doc, item, "undeclared", kind->undeclared, "refused", kind->refused));
    IFN_TRY(expect_part(doc, item, "failed", kind->failed, "executed", kind->executed));
    IFN_TRY(expect_part(doc, item, "t2_cases", kind->t2_cases, "executed", kind->executed));
    IFN_TRY(expect_part(doc, item, "n of bias", kind->bias.n, "executed", kind->executed));
    IFN_TRY(expect_part(doc, item, "n of outward", kind->outward.n, "executed", kind->executed));
    return expect_part(doc, item, "n of lean", kind->lean.n, "executed", kind->executed);
}

/* Returns the i of "R<i>"; -1: there is no such relation. */
static int relation_of(const char *id)
{
    char name[8];
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        snprintf(name, sizeof name, "R%d", i);
        if (strcmp(name, id) == 0)
            return i;
    }
    return -1;
}

static ifn_status read_relation(spec_doc *doc, spec_node *item, void *cookie)
{
    conform_cell *const cell = cookie;
    const char *const id = text_at(doc, item, "id");
    const int i = relation_of(id);
    if (i < 0)
        return spec_doc_fail(doc, item, "'%.40s' is none of R0 .. R10", id);
    conform_relation_count *const k = &cell->relations[i];
    IFN_TRY(read_fields(doc, item, &report_relation_fields, k));
    IFN_TRY(expect_part(doc, item, "held", k->held, "tried", k->tried));
    return expect_part(doc, item, "demanded", k->demanded, "tried", k->tried);
}

/* Returns the check of this name; CHECK_NONE: this version does not know it. */
static conform_check check_named(const char *name)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (strcmp(conform_check_name((conform_check)i), name) == 0)
            return (conform_check)i;
    return CHECK_NONE;
}

static ifn_status read_check(spec_doc *doc, spec_node *key, spec_node *value, void *cell)
{
    int64_t n;
    IFN_TRY(spec_doc_count(doc, value, 0, &n));
    const conform_check check = check_named(spec_node_text(key));
    if (check != CHECK_NONE)
        ((conform_cell *)cell)->checks[check] = n;
    return IFN_OK;
}

typedef struct bins {
    int64_t *at;
    int n;
} bins;

static ifn_status read_bin(spec_doc *doc, spec_node *item, void *cookie)
{
    bins *const b = cookie;
    return spec_doc_count(doc, item, 0, &b->at[b->n++]);
}

static ifn_status read_headroom(spec_doc *doc, const spec_node *item, conform_cell *c)
{
    int64_t n = 0;
    if (!find(doc, item, "headroom"))
        return IFN_OK;
    IFN_TRY(read_list_at(doc, item, "headroom", HEADROOM_BINS, read_bin, &(bins){c->headroom, 0}));
    for (int i = 0; i < HEADROOM_BINS; i++) {
        IFN_TRY(expect_part(doc, item, "headroom of", c->headroom[i], "cases", c->cases));
        n += c->headroom[i];
    }
    return expect_part(doc, item, "headroom of", n, "cases", c->cases);
}

/* A cell must have cases, and as many as its passed, refused and failed ones add up to. */
static ifn_status expect_cases(spec_doc *doc, const spec_node *item, const conform_cell *c)
{
    const int64_t sum = c->passed + c->refused + c->failed;
    if (c->cases != sum)
        return spec_doc_fail(doc, item, "%lld cases, expected passed, refused and failed, %lld",
                             (long long)c->cases, (long long)sum);
    return sum ? IFN_OK : spec_doc_fail(doc, item, "0 cases, expected one at least");
}

/* The cases of a cell are those of its kinds, by dtype and form of weights. */
static ifn_status expect_kinds(spec_doc *doc, const spec_node *item, const conform_cell *c)
{
    conform_kind sum = {0};
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++) {
            sum.executed += c->kinds[d][p].executed;
            sum.refused += c->kinds[d][p].refused;
            sum.undeclared += c->kinds[d][p].undeclared;
            sum.failed += c->kinds[d][p].failed;
        }
    if (sum.executed != c->passed + c->failed || sum.refused != c->refused ||
        sum.undeclared != c->undeclared || sum.failed != c->failed)
        return spec_doc_fail(doc, item,
                             "%lld cases, %lld failed, expected what its kinds add up to, %lld and "
                             "%lld",
                             (long long)c->cases, (long long)c->failed,
                             (long long)(sum.executed + sum.refused), (long long)sum.failed);
    return IFN_OK;
}

static ifn_status read_cell(spec_doc *doc, spec_node *item, void *report)
{
    ifn_op op;
    int32_t s = 0;
    IFN_TRY(read_place(doc, item, report, &op, &s));
    conform_cell *const c = conform_report_cell(report, op, s);
    if (c->cases)
        return spec_doc_fail(doc, item, "a second cell of %s on this backend, expected one",
                             ifn_op_name(op));
    IFN_TRY(read_fields(doc, item, &report_cell_fields, c));
    spec_node *const checks = find(doc, item, "faults");
    if (checks)
        IFN_TRY(spec_doc_pairs(doc, checks, read_check, c));
    IFN_TRY(read_headroom(doc, item, c));
    if (find(doc, item, "invariances"))
        IFN_TRY(read_list_at(doc, item, "invariances", INT_MAX, read_relation, c));
    IFN_TRY(read_list_at(doc, item, "kinds", INT_MAX, read_kind, c));
    spec_node *const reach = find(doc, item, "reach");
    if (reach)
        IFN_TRY(conform_reach_read(doc, reach, op, &c->reach));
    IFN_TRY(expect_cases(doc, item, c));
    return expect_kinds(doc, item, c);
}

static ifn_status read_failure(spec_doc *doc, spec_node *item, void *report)
{
    conform_failure f = {.verdict.outcome = OUTCOME_FAIL};
    ifn_error ignored;
    IFN_TRY(read_place(doc, item, report, &f.op, &f.tested));
    IFN_TRY(read_fields(doc, item, &report_failure_fields, &f));
    f.verdict.check = check_named(f.check);
    f.c.op = f.op;
    (void)conform_case_parse(f.id, &f.c, &ignored);
    spec_node *const again = find(doc, item, "again");
    if (again)
        IFN_TRY(spec_doc_copy(doc, again, &f.again));
    conform_report_keep(report, &f);
    return IFN_OK;
}

static ifn_status read_row(spec_doc *doc, spec_node *item, void *report)
{
    e2e_row row = {0};
    IFN_TRY(read_tested(doc, item, report, &row.tested));
    IFN_TRY(read_fields(doc, item, &report_row_fields, &row));
    IFN_TRY(expect_part(doc, item, "failed", row.failed, "runs", row.runs));
    IFN_TRY(expect_part(doc, item, "held", row.held, "tried", row.tried));
    IFN_TRY(expect_part(doc, item, "demanded", row.demanded, "tried", row.tried));
    conform_report_add_row(report, &row);
    return IFN_OK;
}

/* Reads the rows of whole models and requires that their sums equal the counts which the report states. */
static ifn_status read_rows(spec_doc *doc, const spec_node *root, conform_report *out)
{
    conform_evidence said[CONFORM_MAX_TESTED];
    memcpy(said, out->end_to_end, sizeof said);
    memset(out->end_to_end, 0, sizeof out->end_to_end);
    if (find(doc, root, "whole_models"))
        IFN_TRY(read_list_at(doc, root, "whole_models", INT_MAX, read_row, out));
    for (int s = 0; s < out->n_tested; s++)
        if (said[s].executed != out->end_to_end[s].executed ||
            said[s].failed != out->end_to_end[s].failed)
            return spec_doc_fail(doc, root,
                                 "%s: %lld runs of whole models, %lld failed, expected what its "
                                 "list adds up to, %lld and %lld",
                                 out->label[s], (long long)said[s].executed,
                                 (long long)said[s].failed, (long long)out->end_to_end[s].executed,
                                 (long long)out->end_to_end[s].failed);
    return IFN_OK;
}

/* Reads the kill matrix of `conform museum` as evidence about the harness. A fault that only made the process die
 * counts as failed, not as killed. */
static ifn_status read_museum(spec_doc *doc, spec_node *root, conform_report *out)
{
    report_kills k = {0};
    IFN_TRY(read_fields(doc, root, &report_kills_fields, &k));
    IFN_TRY(read_fields_at(doc, root, "origin", &report_origin_fields, &out->origin));
    if (!k.is_whole)
        return spec_doc_fail(doc, root, "a visit to some faults of a museum, expected all of them");
    if (!k.is_shipped)
        return spec_doc_fail(doc, root, "a visit to another museum, expected that of inferno");
    out->museum.failed = k.died + k.survived;
    out->museum.executed = k.killed + out->museum.failed;
    return IFN_OK;
}

static ifn_status read_root(spec_doc *doc, conform_report *out)
{
    spec_node *const root = spec_doc_root(doc);
    const char *const kind = text_at(doc, root, "inferno");
    if (strcmp(kind, "museum/1") == 0)
        return read_museum(doc, root, out);
    if (strcmp(kind, IFN_REPORT_VERSION) != 0)
        return spec_doc_fail(doc, root, "found '%.40s', expected " IFN_REPORT_VERSION, kind);
    IFN_TRY(read_fields(doc, root, &report_head_fields, out));
    IFN_TRY(read_fields_at(doc, root, "origin", &report_origin_fields, &out->origin));
    IFN_TRY(read_evidence_at(doc, root, "museum", &out->museum));
    IFN_TRY(read_list_at(doc, root, "backends", CONFORM_MAX_TESTED, read_backend, out));
    IFN_TRY(read_list_at(doc, root, "problems", INT_MAX, read_problem, out));
    IFN_TRY(read_list_at(doc, root, "cells", INT_MAX, read_cell, out));
    IFN_TRY(read_rows(doc, root, out));
    return read_list_at(doc, root, "failures", INT_MAX, read_failure, out);
}

ifn_status conform_report_read(const char *path, conform_report *out, ifn_error *err)
{
    spec_doc doc;
    IFN_TRY(spec_doc_open(&doc, path, err));
    conform_report_open(out, 0);
    const ifn_status status = read_root(&doc, out);
    spec_doc_close(&doc);
    if (status != IFN_OK)
        conform_report_close(out);
    return status;
}
