/* Reads a report back. JSON is YAML, so libyaml does the parsing. */
#include "run_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

typedef struct reader {
    yaml_document_t document;
    const char *path;
    conform_report *report;
} reader;

static const char *text_of(const yaml_node_t *n)
{
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

static yaml_node_t *get(reader *r, const yaml_node_t *map, const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
        if (strcmp(text_of(yaml_document_get_node(&r->document, p->key)), key) == 0)
            return yaml_document_get_node(&r->document, p->value);
    return NULL;
}

static const char *get_text(reader *r, const yaml_node_t *map, const char *key)
{
    return text_of(get(r, map, key));
}

static int64_t get_count(reader *r, const yaml_node_t *map, const char *key)
{
    return strtoll(get_text(r, map, key), NULL, 10);
}

/* strtod knows "inf" and "nan" as well. */
static double get_number(reader *r, const yaml_node_t *map, const char *key)
{
    return strtod(get_text(r, map, key), NULL);
}

static conform_mean get_mean(reader *r, const yaml_node_t *map, const char *key)
{
    const yaml_node_t *mean = get(r, map, key);
    return (conform_mean){get_count(r, mean, "n"), get_number(r, mean, "sum"),
                          get_number(r, mean, "squares")};
}

static conform_evidence get_evidence(reader *r, const yaml_node_t *map, const char *key)
{
    const yaml_node_t *evidence = get(r, map, key);
    return (conform_evidence){get_count(r, evidence, "executed"), get_count(r, evidence, "failed")};
}

/* Calls `each` for the items of a list. */
static ifn_status for_each(reader *r, const yaml_node_t *list,
                           ifn_status (*each)(reader *r, const yaml_node_t *item, void *cookie,
                                              ifn_error *err),
                           void *cookie, ifn_error *err)
{
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: a list is missing: no conform report", r->path);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++)
        IFN_TRY(each(r, yaml_document_get_node(&r->document, *i), cookie, err));
    return IFN_OK;
}

static ifn_status read_backend(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    conform_report *out = r->report;
    (void)cookie;
    if (out->n_subjects == CONFORM_MAX_SUBJECTS)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: more than %d backends", r->path,
                        CONFORM_MAX_SUBJECTS);
    const int s = out->n_subjects++;
    snprintf(out->label[s], sizeof out->label[s], "%s", get_text(r, item, "label"));
    snprintf(out->expression[s], sizeof out->expression[s], "%s", get_text(r, item, "expression"));
    snprintf(out->said[s], sizeof out->said[s], "%s", get_text(r, item, "level"));
    out->end_to_end[s] = get_evidence(r, item, "end_to_end");
    return IFN_OK;
}

static ifn_status read_problem(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    (void)cookie;
    (void)err;
    conform_report_problem(r->report, "%s", text_of(item));
    return IFN_OK;
}

/* Which op on which backend an item is about. */
static ifn_status read_place(reader *r, const yaml_node_t *item, ifn_op *op, int *subject,
                             ifn_error *err)
{
    const char *name = get_text(r, item, "op"), *backend = get_text(r, item, "backend");
    if (!ifn_op_from_name(name, op))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: '%.40s' is no op", r->path, name);
    for (*subject = 0; *subject < r->report->n_subjects; (*subject)++)
        if (strcmp(r->report->label[*subject], backend) == 0)
            return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT, "%s: '%.40s' is not among its backends", r->path, backend);
}

static ifn_status read_kind(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    conform_cell *cell = cookie;
    const char *name = get_text(r, item, "dtype");
    ifn_dtype dtype;
    if (!ifn_dtype_from_name(name, &dtype))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: '%.40s' is no dtype", r->path, name);
    const int prepared = strcmp(get_text(r, item, "weights"), "prepared") == 0;
    cell->kinds[dtype][prepared].executed = get_count(r, item, "executed");
    cell->kinds[dtype][prepared].refused = get_count(r, item, "refused");
    cell->kinds[dtype][prepared].undeclared = get_count(r, item, "undeclared");
    cell->kinds[dtype][prepared].bias = get_mean(r, item, "bias");
    cell->kinds[dtype][prepared].outward = get_mean(r, item, "outward");
    cell->kinds[dtype][prepared].t2_cases = get_count(r, item, "t2_cases");
    cell->kinds[dtype][prepared].t2_ratio = get_number(r, item, "t2_ratio");
    return IFN_OK;
}

static ifn_status read_relation(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    conform_cell *cell = cookie;
    const char *id = get_text(r, item, "id");
    if (id[0] != 'R' || id[1] < '0' || id[1] > '9' || id[2])
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: '%.40s' is none of R0 .. R9", r->path, id);
    conform_relation_count *relation = &cell->relations[id[1] - '0'];
    relation->tried = get_count(r, item, "tried");
    relation->held = get_count(r, item, "held");
    relation->demanded = get_count(r, item, "demanded");
    return IFN_OK;
}

static ifn_status read_cell(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    ifn_op op;
    int s;
    (void)cookie;
    IFN_TRY(read_place(r, item, &op, &s, err));
    conform_cell *c = conform_report_cell(r->report, op, s);
    snprintf(c->by, sizeof c->by, "%s", get_text(r, item, "by"));
    c->is_inherited = strcmp(get_text(r, item, "inherited"), "true") == 0;
    c->cases = get_count(r, item, "cases");
    c->passed = get_count(r, item, "passed");
    c->refused = get_count(r, item, "refused");
    c->undeclared = get_count(r, item, "undeclared");
    c->computed = get_count(r, item, "computed");
    c->failed = get_count(r, item, "failed");
    c->blunt = get_count(r, item, "blunt");
    c->sharp = get_count(r, item, "sharp");
    c->calls = get_count(r, item, "calls");
    c->compared = get_count(r, item, "compared");
    c->walked = get_count(r, item, "walked");
    c->ratio = get_number(r, item, "worst_ratio");
    c->scalar_ratio = get_number(r, item, "worst_scalar_ratio");
    snprintf(c->worst, sizeof c->worst, "%s", get_text(r, item, "worst_case"));
    for (int i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
        c->faults[i] = get_count(r, get(r, item, "faults"), conform_fault_name((conform_fault)i));
    if (get(r, item, "invariances"))
        IFN_TRY(for_each(r, get(r, item, "invariances"), read_relation, c, err));
    return for_each(r, get(r, item, "kinds"), read_kind, c, err);
}

static conform_fault fault_named(const char *name)
{
    for (int i = 0; i < FAULT_COUNT; i++)
        if (strcmp(conform_fault_name((conform_fault)i), name) == 0)
            return (conform_fault)i;
    return FAULT_NONE;
}

static ifn_status read_failure(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    conform_failure f = {.op = IFN_OP_COUNT};
    int s;
    (void)cookie;
    IFN_TRY(read_place(r, item, &f.op, &s, err));
    f.subject = s;
    f.verdict.outcome = OUTCOME_FAIL;
    f.verdict.fault = fault_named(get_text(r, item, "fault"));
    snprintf(f.fault, sizeof f.fault, "%s", get_text(r, item, "fault"));
    snprintf(f.id, sizeof f.id, "%s", get_text(r, item, "case"));
    snprintf(f.shrunk, sizeof f.shrunk, "%s", get_text(r, item, "smallest"));
    snprintf(f.nature, sizeof f.nature, "%s", get_text(r, item, "nature"));
    snprintf(f.verdict.detail, sizeof f.verdict.detail, "%s", get_text(r, item, "detail"));
    snprintf(f.verdict.tensor, sizeof f.verdict.tensor, "%s", get_text(r, item, "tensor"));
    f.verdict.worst.worst = get_count(r, item, "index");
    f.verdict.worst.n_wrong = get_count(r, item, "wrong");
    f.verdict.worst.got = get_number(r, item, "got");
    f.verdict.worst.want = get_number(r, item, "want");
    f.verdict.worst.bound = get_number(r, item, "bound");
    f.verdict.worst.ratio = get_number(r, item, "ratio");
    conform_report_keep(r->report, &f);
    return IFN_OK;
}

static void get_word(reader *r, const yaml_node_t *map, const char *key, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s", get_text(r, map, key));
}

static ifn_status read_row(reader *r, const yaml_node_t *item, void *cookie, ifn_error *err)
{
    e2e_row row = {.subject = conform_report_subject(r->report, get_text(r, item, "backend"))};
    (void)cookie;
    if (row.subject < 0)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: '%.40s' is not among its backends", r->path,
                        get_text(r, item, "backend"));
    get_word(r, item, "model", row.model, sizeof row.model);
    get_word(r, item, "graph", row.graph, sizeof row.graph);
    get_word(r, item, "activations", row.activations, sizeof row.activations);
    get_word(r, item, "kv", row.kv, sizeof row.kv);
    get_word(r, item, "rule", row.rule, sizeof row.rule);
    get_word(r, item, "fault", row.fault, sizeof row.fault);
    get_word(r, item, "detail", row.detail, sizeof row.detail);
    get_word(r, item, "first_bad", row.first_bad, sizeof row.first_bad);
    row.runs = get_count(r, item, "runs");
    row.failed = get_count(r, item, "failed");
    row.steps = get_count(r, item, "steps");
    row.ties = get_count(r, item, "ties");
    row.worst = get_number(r, item, "worst");
    row.kl_mean = get_number(r, item, "kl_mean");
    row.kl_99 = get_number(r, item, "kl_99");
    row.kl_max = get_number(r, item, "kl_max");
    row.tried = get_count(r, item, "tried");
    row.held = get_count(r, item, "held");
    row.demanded = get_count(r, item, "demanded");
    conform_report_add_row(r->report, &row);
    return IFN_OK;
}

/* The kill matrix of `conform --museum`: what it says about the harness, whatever the backend. A
 * fault that is only died of is not killed. */
static ifn_status read_museum(reader *r, const yaml_node_t *root)
{
    const int64_t killed = get_count(r, root, "killed");
    const int64_t failed = get_count(r, root, "died") + get_count(r, root, "survived");
    r->report->museum = (conform_evidence){killed + failed, failed};
    return IFN_OK;
}

/* Reports from before whole models were told one by one have none; others must add up. */
static ifn_status read_rows(reader *r, const yaml_node_t *root, ifn_error *err)
{
    conform_report *const out = r->report;
    conform_evidence said[CONFORM_MAX_SUBJECTS];
    if (!get(r, root, "whole_models"))
        return IFN_OK;
    memcpy(said, out->end_to_end, sizeof said);
    memset(out->end_to_end, 0, sizeof out->end_to_end);
    IFN_TRY(for_each(r, get(r, root, "whole_models"), read_row, NULL, err));
    for (int s = 0; s < out->n_subjects; s++)
        if (said[s].executed != out->end_to_end[s].executed ||
            said[s].failed != out->end_to_end[s].failed)
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: %s: %lld runs of whole models, %lld failed, expected what its "
                            "list adds up to, %lld and %lld",
                            r->path, out->label[s], (long long)said[s].executed,
                            (long long)said[s].failed, (long long)out->end_to_end[s].executed,
                            (long long)out->end_to_end[s].failed);
    return IFN_OK;
}

static ifn_status read_document(reader *r, ifn_error *err)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    conform_report *out = r->report;
    const char *kind = get_text(r, root, "inferno");
    if (strcmp(kind, "museum/1") == 0)
        return read_museum(r, root);
    if (strcmp(kind, "conform-report/1") != 0)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: found '%.40s', expected conform-report/1",
                        r->path, kind);
    snprintf(out->profile, sizeof out->profile, "%s", get_text(r, root, "profile"));
    snprintf(out->shard, sizeof out->shard, "%s", get_text(r, root, "shard"));
    out->seed = strtoull(get_text(r, root, "seed"), NULL, 16);
    out->seconds = get_number(r, root, "seconds");
    out->museum = get_evidence(r, root, "museum");
    out->registers_checked = strcmp(get_text(r, root, "registers_checked"), "true") == 0;
    out->upper_checked = strcmp(get_text(r, root, "vector_state_checked"), "true") == 0;
    IFN_TRY(for_each(r, get(r, root, "backends"), read_backend, NULL, err));
    IFN_TRY(for_each(r, get(r, root, "problems"), read_problem, NULL, err));
    IFN_TRY(for_each(r, get(r, root, "cells"), read_cell, NULL, err));
    IFN_TRY(read_rows(r, root, err));
    return for_each(r, get(r, root, "failures"), read_failure, NULL, err);
}

static ifn_status parse(reader *r, FILE *in, ifn_error *err)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", r->path);
    yaml_parser_set_input_file(&parser, in);
    const int loaded = yaml_parser_load(&parser, &r->document);
    ifn_status status = IFN_OK;
    if (!loaded)
        status = ifn_fail(err, IFN_ERR_FORMAT, "%s:%zu: %s", r->path, parser.problem_mark.line + 1,
                          parser.problem ? parser.problem : "no document");
    yaml_parser_delete(&parser);
    if (!loaded)
        return status;
    status = read_document(r, err);
    yaml_document_delete(&r->document);
    return status;
}

ifn_status conform_report_read(const char *path, conform_report *out, ifn_error *err)
{
    reader r = {.path = path, .report = out};
    FILE *in = fopen(path, "rb");
    conform_report_open(out, 0);
    if (!in) {
        conform_report_close(out);
        return ifn_fail(err, IFN_ERR_IO, "%s: cannot be opened", path);
    }
    const ifn_status status = parse(&r, in, err);
    fclose(in);
    if (status != IFN_OK)
        conform_report_close(out);
    return status;
}
