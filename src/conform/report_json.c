/* The report for programs: spec/report.schema.yaml says what the keys mean. */
#include <math.h>
#include <string.h>

#include "report_level.h"
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

static void put_count(const char *key, int64_t n, FILE *out)
{
    put_key(key, out);
    fprintf(out, "%lld, ", (long long)n);
}

/* JSON has no infinity and no NaN: those are strings. */
static void put_number(const char *key, double x, FILE *out)
{
    put_key(key, out);
    if (isfinite(x))
        fprintf(out, "%.17g, ", x);
    else
        fprintf(out, "\"%s\", ", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static void put_faults(const conform_cell *c, FILE *out)
{
    int n = 0;
    fputs("\"faults\": {", out);
    for (int i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
        if (c->faults[i])
            fprintf(out, "%s\"%s\": %lld", n++ ? ", " : "", conform_fault_name((conform_fault)i),
                    (long long)c->faults[i]);
    fputs("}, ", out);
}

static void put_mean(const char *key, const conform_mean *m, FILE *out)
{
    fprintf(out, ", \"%s\": {\"n\": %lld, \"sum\": %.17g, \"squares\": %.17g}", key,
            (long long)m->n, m->sum, m->squares);
}

static void put_kind(const conform_kind *k, ifn_dtype dtype, int prepared, FILE *out)
{
    fprintf(out, "{\"dtype\": \"%s\", \"weights\": \"%s\", \"executed\": %lld, \"refused\": %lld, ",
            ifn_dtype_name(dtype), prepared ? "prepared" : "raw", (long long)k->executed,
            (long long)k->refused);
    fprintf(out, "\"undeclared\": %lld, \"t2_cases\": %lld, \"t2_ratio\": %.17g",
            (long long)k->undeclared, (long long)k->t2_cases, k->t2_ratio);
    if (k->bias.n)
        put_mean("bias", &k->bias, out);
    if (k->outward.n)
        put_mean("outward", &k->outward, out);
    fputs("}", out);
}

static void put_kinds(const conform_cell *c, FILE *out)
{
    int n = 0;
    fputs("\"kinds\": [", out);
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
    fputs("\"invariances\": [", out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        const conform_relation_count *k = &c->relations[i];
        if (k->tried)
            fprintf(out, "%s{\"id\": \"R%d\", \"tried\": %lld, \"held\": %lld, \"demanded\": %lld}",
                    n++ ? ", " : "", i, (long long)k->tried, (long long)k->held,
                    (long long)k->demanded);
    }
    fputs("], ", out);
}

static void put_cell(const conform_report *r, ifn_op op, int s, FILE *out)
{
    const conform_cell *c = conform_report_cell(r, op, s);
    fputs("    {", out);
    put_text("op", ifn_op_name(op), out);
    put_text("backend", r->label[s], out);
    put_text("by", c->by, out);
    fprintf(out, "\"inherited\": %s, ", c->is_inherited ? "true" : "false");
    put_count("cases", c->cases, out);
    put_count("passed", c->passed, out);
    put_count("refused", c->refused, out);
    put_count("undeclared", c->undeclared, out);
    put_count("computed", c->computed, out);
    put_count("failed", c->failed, out);
    put_count("blunt", c->blunt, out);
    put_count("sharp", c->sharp, out);
    put_count("calls", c->calls, out);
    put_count("compared", c->compared, out);
    put_count("walked", c->walked, out);
    put_number("worst_ratio", c->ratio, out);
    put_number("worst_scalar_ratio", c->scalar_ratio, out);
    put_text("worst_case", c->worst, out);
    put_faults(c, out);
    put_relations(c, out);
    put_kinds(c, out);
    fputs("}", out);
}

static void put_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    const conform_result *w = &f->verdict.worst;
    fputs("    {", out);
    put_text("op", ifn_op_name(f->op), out);
    put_text("backend", r->label[f->subject], out);
    put_text("case", f->id, out);
    put_text("smallest", f->shrunk, out);
    put_text("fault", f->fault, out);
    put_text("detail", f->verdict.detail, out);
    put_text("nature", f->nature, out);
    put_text("tensor", f->verdict.tensor, out);
    put_count("index", w->worst, out);
    put_count("wrong", w->n_wrong, out);
    put_number("got", w->got, out);
    put_number("want", w->want, out);
    put_number("bound", w->bound, out);
    put_key("ratio", out);
    fprintf(out, isfinite(w->ratio) ? "%.17g}" : "\"inf\"}", w->ratio);
}

static void put_row(const conform_report *r, const e2e_row *row, FILE *out)
{
    fputs("    {", out);
    put_text("backend", r->label[row->subject], out);
    put_text("model", row->model, out);
    put_text("graph", row->graph, out);
    put_text("activations", row->activations, out);
    put_text("kv", row->kv, out);
    put_text("rule", row->rule, out);
    put_count("runs", row->runs, out);
    put_count("failed", row->failed, out);
    put_count("steps", row->steps, out);
    put_count("ties", row->ties, out);
    put_number("worst", row->worst, out);
    put_number("kl_mean", row->kl_mean, out);
    put_number("kl_99", row->kl_99, out);
    put_number("kl_max", row->kl_max, out);
    put_count("tried", row->tried, out);
    put_count("held", row->held, out);
    put_count("demanded", row->demanded, out);
    put_text("fault", row->fault, out);
    put_text("detail", row->detail, out);
    put_key("first_bad", out);
    conform_put_json(row->first_bad, out);
    fputs("}", out);
}

static void put_evidence(const char *key, const conform_evidence *e, FILE *out)
{
    put_key(key, out);
    fprintf(out, "{\"executed\": %lld, \"failed\": %lld}, ", (long long)e->executed,
            (long long)e->failed);
}

static void put_head(const conform_report *r, FILE *out)
{
    fputs("{\n  ", out);
    put_text("inferno", "conform-report/1", out);
    put_text("profile", r->profile, out);
    put_text("shard", r->shard, out);
    fprintf(out, "\"seed\": \"%llx\", ", (unsigned long long)r->seed);
    put_number("seconds", r->seconds, out);
    fprintf(out, "\"registers_checked\": %s, ", r->registers_checked ? "true" : "false");
    fprintf(out, "\"vector_state_checked\": %s, ", r->upper_checked ? "true" : "false");
    fprintf(out, "\"conformant\": %s,\n", conform_report_is_conformant(r) ? "true" : "false");
    fputs("  ", out);
    put_evidence("museum", &r->museum, out);
    fputs("\"backends\": [", out);
    for (int s = 0; s < r->n_subjects; s++) {
        fputs(s ? ", {" : "{", out);
        put_text("label", r->label[s], out);
        put_text("expression", r->expression[s], out);
        put_evidence("end_to_end", &r->end_to_end[s], out);
        put_key("level", out);
        conform_put_json(conform_rank_name(conform_level_of(r, s).rank), out);
        fputs("}", out);
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
