/* Writes the report as JSON. spec/report.schema.yaml says what the keys mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <inferno/version.h>

#include "reach_json.h"
#include "report_fields.h"
#include "report_rank.h"
#include "report_repeat.h"

/* JSON has no infinity and no NaN: they become strings. */
static void put_number(double x, json_writer *out)
{
    if (isfinite(x))
        json_put_double(out, x);
    else
        json_put_string(out, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static void put_hex(uint64_t x, json_writer *out)
{
    char text[17];
    snprintf(text, sizeof text, "%llx", (unsigned long long)x);
    json_put_string(out, text);
}

static void put_member(report_field_kind kind, const void *member, json_writer *out)
{
    switch (kind) {
    case FIELD_COUNT:
    case FIELD_INDEX:
        json_put_int(out, *(const int64_t *)member);
        break;
    case FIELD_NUMBER:
        put_number(*(const double *)member, out);
        break;
    case FIELD_TEXT:
        json_put_string(out, member);
        break;
    case FIELD_FLAG:
        json_put_bool(out, *(const int32_t *)member);
        break;
    case FIELD_HEX:
        put_hex(*(const uint64_t *)member, out);
        break;
    }
}

static void put_fields(const report_fields *fields, const void *from, json_writer *out)
{
    for (size_t i = 0; i < fields->n; i++) {
        const report_field *f = &fields->field[i];
        json_key(out, f->key);
        put_member(f->kind, (const char *)from + f->offset, out);
    }
}

static void put_map(const char *key, const report_fields *fields, const void *from,
                    json_writer *out)
{
    json_key(out, key);
    json_begin_object(out);
    put_fields(fields, from, out);
    json_end_object(out);
}

static void begin_list(const char *key, json_writer *out)
{
    json_key(out, key);
    json_begin_array(out);
}

static void put_checks(const conform_cell *c, json_writer *out)
{
    json_key(out, "faults");
    json_begin_object(out);
    for (int i = CHECK_NONE + 1; i < CHECK_COUNT; i++)
        if (c->checks[i]) {
            json_key(out, conform_check_name((conform_check)i));
            json_put_int(out, c->checks[i]);
        }
    json_end_object(out);
}

static void put_headroom(const conform_cell *c, json_writer *out)
{
    json_key(out, "headroom");
    json_begin_array(out);
    for (int i = 0; i < HEADROOM_BINS; i++)
        json_put_int(out, c->headroom[i]);
    json_end_array(out);
}

static void put_mean(const char *key, const conform_mean *m, json_writer *out)
{
    if (m->n)
        put_map(key, &report_mean_fields, m, out);
}

static void put_kind(const conform_kind *k, ifn_dtype dtype, int prepared, json_writer *out)
{
    json_begin_object(out);
    json_member(out, "dtype", ifn_dtype_name(dtype));
    json_member(out, "weights", prepared ? "prepared" : "raw");
    put_fields(&report_kind_fields, k, out);
    put_mean("bias", &k->bias, out);
    put_mean("outward", &k->outward, out);
    put_mean("lean", &k->lean, out);
    json_end_object(out);
}

static void put_kinds(const conform_cell *c, json_writer *out)
{
    begin_list("kinds", out);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (c->kinds[d][p].executed || c->kinds[d][p].refused)
                put_kind(&c->kinds[d][p], (ifn_dtype)d, p, out);
    json_end_array(out);
}

static void put_relations(const conform_cell *c, json_writer *out)
{
    begin_list("invariances", out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        char id[8];
        if (!c->relations[i].tried)
            continue;
        snprintf(id, sizeof id, "R%d", i);
        json_begin_object(out);
        json_member(out, "id", id);
        put_fields(&report_relation_fields, &c->relations[i], out);
        json_end_object(out);
    }
    json_end_array(out);
}

/* Begins an element of a list on a line of its own. */
static void begin_entry(json_writer *out)
{
    json_line(out, 4);
    json_begin_object(out);
}

static void put_cell(const conform_report *r, ifn_op op, int s, json_writer *out)
{
    const conform_cell *c = conform_report_cell(r, op, s);
    begin_entry(out);
    json_member(out, "op", ifn_op_name(op));
    json_member(out, "backend", r->label[s]);
    put_fields(&report_cell_fields, c, out);
    put_headroom(c, out);
    put_checks(c, out);
    put_relations(c, out);
    put_kinds(c, out);
    json_key(out, "reach");
    conform_reach_put(&c->reach, op, out);
    json_end_object(out);
}

static void put_failure(const conform_report *r, const conform_failure *f, json_writer *out)
{
    char *const again = conform_repeat_text(r, f);
    begin_entry(out);
    json_member(out, "op", ifn_op_name(f->op));
    json_member(out, "backend", r->label[f->tested]);
    put_fields(&report_failure_fields, f, out);
    json_member(out, "again", again);
    json_end_object(out);
    free(again);
}

static void put_row(const conform_report *r, const e2e_row *row, json_writer *out)
{
    begin_entry(out);
    json_member(out, "backend", r->label[row->tested]);
    put_fields(&report_row_fields, row, out);
    json_end_object(out);
}

static void put_backend(const conform_report *r, int s, json_writer *out)
{
    char arithmetic[REPORT_ARITHMETIC_BYTES];
    json_begin_object(out);
    json_member(out, "label", r->label[s]);
    json_member(out, "expression", r->expression[s]);
    put_fields(&report_binary_fields, &r->binary[s], out);
    put_map("planned", &report_planned_fields, &r->planned[s], out);
    put_map("end_to_end", &report_evidence_fields, &r->end_to_end[s], out);
    json_key(out, "conformant");
    json_put_bool(out, conform_report_tested_is_conformant(r, s));
    json_member(out, "level", conform_rank_name(conform_standing_of(r, s).rank));
    json_member(out, "arithmetic", conform_report_arithmetic(r, s, arithmetic));
    json_end_object(out);
}

void conform_origin_json(const report_origin *origin, json_writer *out)
{
    put_map("origin", &report_origin_fields, origin, out);
}

static void put_head(const conform_report *r, json_writer *out)
{
    json_line(out, 2);
    json_member(out, "inferno", IFN_REPORT_VERSION);
    put_fields(&report_head_fields, r, out);
    json_key(out, "conformant");
    json_put_bool(out, conform_report_is_conformant(r));
    json_line(out, 2);
    conform_origin_json(&r->origin, out);
    json_line(out, 2);
    put_map("museum", &report_evidence_fields, &r->museum, out);
    begin_list("backends", out);
    for (int s = 0; s < r->n_tested; s++)
        put_backend(r, s, out);
    json_end_array(out);
    json_line(out, 2);
    begin_list("problems", out);
    for (int i = 0; i < r->n_problems; i++)
        json_put_string(out, r->problems[i]);
    json_end_array(out);
}

static void end_lines(json_writer *out)
{
    json_line(out, 2);
    json_end_array(out);
    json_line(out, 2);
}

void conform_report_json(const conform_report *r, FILE *file)
{
    json_writer w = {.out = file};
    json_begin_object(&w);
    put_head(r, &w);
    json_line(&w, 2);
    begin_list("cells", &w);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int s = 0; s < r->n_tested; s++)
            if (conform_report_cell(r, (ifn_op)op, s)->cases)
                put_cell(r, (ifn_op)op, s, &w);
    end_lines(&w);
    begin_list("failures", &w);
    for (int64_t i = 0; i < r->n_failures; i++)
        put_failure(r, &r->failures[i], &w);
    end_lines(&w);
    begin_list("whole_models", &w);
    for (int64_t i = 0; i < r->n_rows; i++)
        put_row(r, &r->rows[i], &w);
    end_lines(&w);
    json_line(&w, 0);
    json_end_object(&w);
    json_finish(&w);
}
