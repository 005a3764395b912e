/* The report for programs: spec/report.schema.yaml says what the keys mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/version.h>

#include "reach_json.h"
#include "report_fields.h"
#include "report_level.h"
#include "report_repeat.h"
#include "text_escape.h"

static void put_key(const char *key, FILE *out)
{
    conform_put_json(key, out);
    fputs(": ", out);
}

static void put_text(const char *key, const char *text, FILE *out)
{
    put_key(key, out);
    conform_put_json(text, out);
    fputs(", ", out);
}

/* JSON has no infinity and no NaN: those are strings. */
static void put_number(double x, FILE *out)
{
    if (isfinite(x))
        fprintf(out, "%.17g", x);
    else
        fprintf(out, "\"%s\"", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static void put_member(report_field_kind kind, const void *member, FILE *out)
{
    switch (kind) {
    case FIELD_COUNT:
    case FIELD_INDEX:
        fprintf(out, "%lld", (long long)*(const int64_t *)member);
        break;
    case FIELD_NUMBER:
        put_number(*(const double *)member, out);
        break;
    case FIELD_TEXT:
        conform_put_json(member, out);
        break;
    case FIELD_FLAG:
        fputs(*(const int32_t *)member ? "true" : "false", out);
        break;
    case FIELD_HEX:
        fprintf(out, "\"%llx\"", (unsigned long long)*(const uint64_t *)member);
        break;
    }
}

/* The members of `from`, with commas between them. */
static void put_fields(const report_fields *fields, const void *from, FILE *out)
{
    for (size_t i = 0; i < fields->n; i++) {
        const report_field *f = &fields->field[i];
        fputs(i ? ", " : "", out);
        put_key(f->key, out);
        put_member(f->kind, (const char *)from + f->offset, out);
    }
}

static void put_map(const char *key, const report_fields *fields, const void *from, FILE *out)
{
    put_key(key, out);
    fputs("{", out);
    put_fields(fields, from, out);
    fputs("}", out);
}

static void put_faults(const conform_cell *c, FILE *out)
{
    int n = 0;
    fputs(", \"faults\": {", out);
    for (int i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
        if (c->faults[i])
            fprintf(out, "%s\"%s\": %lld", n++ ? ", " : "", conform_fault_name((conform_fault)i),
                    (long long)c->faults[i]);
    fputs("}", out);
}

static void put_mean(const char *key, const conform_mean *m, FILE *out)
{
    if (!m->n)
        return;
    fputs(", ", out);
    put_map(key, &report_mean_fields, m, out);
}

static void put_kind(const conform_kind *k, ifn_dtype dtype, int prepared, FILE *out)
{
    fputs("{", out);
    put_text("dtype", ifn_dtype_name(dtype), out);
    put_text("weights", prepared ? "prepared" : "raw", out);
    put_fields(&report_kind_fields, k, out);
    put_mean("bias", &k->bias, out);
    put_mean("outward", &k->outward, out);
    put_mean("lean", &k->lean, out);
    fputs("}", out);
}

static void put_kinds(const conform_cell *c, FILE *out)
{
    int n = 0;
    fputs(", \"kinds\": [", out);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++) {
            const conform_kind *k = &c->kinds[d][p];
            if (!k->executed && !k->refused)
                continue;
            fputs(n++ ? ", " : "", out);
            put_kind(k, (ifn_dtype)d, p, out);
        }
    fputs("]", out);
}

static void put_relations(const conform_cell *c, FILE *out)
{
    int n = 0;
    fputs(", \"invariances\": [", out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        if (!c->relations[i].tried)
            continue;
        fprintf(out, "%s{\"id\": \"R%d\", ", n++ ? ", " : "", i);
        put_fields(&report_relation_fields, &c->relations[i], out);
        fputs("}", out);
    }
    fputs("]", out);
}

static void put_cell(const conform_report *r, ifn_op op, int s, FILE *out)
{
    const conform_cell *c = conform_report_cell(r, op, s);
    fputs("    {", out);
    put_text("op", ifn_op_name(op), out);
    put_text("backend", r->label[s], out);
    put_fields(&report_cell_fields, c, out);
    put_faults(c, out);
    put_relations(c, out);
    put_kinds(c, out);
    fputs(", \"reach\": ", out);
    conform_reach_put(&c->reach, op, out);
    fputs("}", out);
}

static void put_again(const conform_report *r, const conform_failure *f, FILE *out)
{
    char *const again = conform_repeat_text(r, f);
    put_key("again", out);
    conform_put_json(again, out);
    free(again);
}

static void put_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    fputs("    {", out);
    put_text("op", ifn_op_name(f->op), out);
    put_text("backend", r->label[f->subject], out);
    put_fields(&report_failure_fields, f, out);
    fputs(", ", out);
    put_again(r, f, out);
    fputs("}", out);
}

static void put_row(const conform_report *r, const e2e_row *row, FILE *out)
{
    fputs("    {", out);
    put_text("backend", r->label[row->subject], out);
    put_fields(&report_row_fields, row, out);
    fputs("}", out);
}

static void put_backend(const conform_report *r, int s, FILE *out)
{
    fputs("{", out);
    put_text("label", r->label[s], out);
    put_text("expression", r->expression[s], out);
    put_fields(&report_binary_fields, &r->binary[s], out);
    fputs(", ", out);
    put_map("planned", &report_planned_fields, &r->planned[s], out);
    fputs(", ", out);
    put_map("end_to_end", &report_evidence_fields, &r->end_to_end[s], out);
    fprintf(out, ", \"conformant\": %s, ",
            conform_report_subject_is_conformant(r, s) ? "true" : "false");
    put_key("level", out);
    conform_put_json(conform_rank_name(conform_level_of(r, s).rank), out);
    fputs("}", out);
}

void conform_origin_json(const report_origin *origin, FILE *out)
{
    put_map("origin", &report_origin_fields, origin, out);
}

static void put_head(const conform_report *r, FILE *out)
{
    fputs("{\n  ", out);
    put_text("inferno", IFN_REPORT_VERSION, out);
    put_fields(&report_head_fields, r, out);
    fprintf(out, ", \"conformant\": %s,\n  ", conform_report_is_conformant(r) ? "true" : "false");
    conform_origin_json(&r->origin, out);
    fputs(",\n  ", out);
    put_map("museum", &report_evidence_fields, &r->museum, out);
    fputs(", \"backends\": [", out);
    for (int s = 0; s < r->n_subjects; s++) {
        fputs(s ? ", " : "", out);
        put_backend(r, s, out);
    }
    fputs("],\n  \"problems\": [", out);
    for (int i = 0; i < r->n_problems; i++) {
        fputs(i ? ", " : "", out);
        conform_put_json(r->problems[i], out);
    }
    fputs("],\n", out);
}

void conform_report_json(const conform_report *r, FILE *out)
{
    int n = 0;
    put_head(r, out);
    fputs("  \"cells\": [\n", out);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int s = 0; s < r->n_subjects; s++) {
            if (!conform_report_cell(r, (ifn_op)op, s)->cases)
                continue;
            fputs(n++ ? ",\n" : "", out);
            put_cell(r, (ifn_op)op, s, out);
        }
    fputs("\n  ],\n  \"failures\": [\n", out);
    for (int64_t i = 0; i < r->n_failures; i++) {
        put_failure(r, &r->failures[i], out);
        fputs(i + 1 < r->n_failures ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"whole_models\": [\n", out);
    for (int64_t i = 0; i < r->n_rows; i++) {
        put_row(r, &r->rows[i], out);
        fputs(i + 1 < r->n_rows ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}
