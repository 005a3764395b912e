#include "e2e_report.h"

#include <math.h>
#include <string.h>

#include "report_rank.h"

static void put_number(double x, FILE *out)
{
    if (x == 0 || (x >= 0.005 && x < 1000))
        fprintf(out, "%9.2f", x);
    else
        fprintf(out, "%9.1e", x);
}

static void put_row(const e2e_row *row, FILE *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s, kv %s", row->graph, row->activations, row->kv);
    fprintf(out, "  %-24s %-7s", name, row->rule);
    if (row->runs == 0) {
        fprintf(out, " %s\n", row->detail);
        return;
    }
    fprintf(out, " %4lld%7lld %6lld", (long long)row->runs, (long long)row->failed,
            (long long)row->steps);
    put_number(row->worst, out);
    put_number(row->kl_max, out);
    fprintf(out, "%6lld%6lld/%-6lld%s%s%s\n", (long long)row->ties, (long long)row->held,
            (long long)row->tried, row->failed ? "FAILED" : "ok",
            !row->failed && row->detail[0] ? ": " : "", row->failed ? "" : row->detail);
}

static void put_failure(const conform_report *r, const e2e_row *row, FILE *out)
{
    if (!row->failed)
        return;
    fprintf(out, "  %s on %s: %s %s, kv %s, %s: %s: %s\n", row->model, r->label[row->tested],
            row->graph, row->activations, row->kv, row->rule, row->check, row->detail);
    if (row->first_bad[0])
        fprintf(out, "    first bad op: %s\n", row->first_bad);
    if (row->again[0])
        fprintf(out, "    again: %s\n", row->again);
}

static bool is_first(const conform_report *r, int64_t i)
{
    const e2e_row *const a = &r->rows[i - (i > 0)], *const b = &r->rows[i];
    return i == 0 || a->tested != b->tested || strcmp(a->model, b->model) != 0;
}

static void put_head(const conform_report *r, const e2e_row *row, FILE *out)
{
    char arithmetic[REPORT_ARITHMETIC_BYTES];
    conform_report_arithmetic(r, row->tested, arithmetic);
    fprintf(out, "%s on %s%s%s\n  %-24s %-7s%5s%7s%7s%9s%9s%6s  %s\n", row->model,
            r->label[row->tested], *arithmetic ? ", " : "", arithmetic, "", "rule", "runs",
            "failed", "steps", "worst", "KL max", "ties", "equal bits");
}

/* Prints ", products in bf16" for one backend, ", LABEL: products in bf16; LABEL: ..." for several. */
static void put_arithmetic(const conform_report *r, FILE *out)
{
    const char *before = ", ";
    for (int i = 0; i < r->n_tested; i++) {
        char arithmetic[REPORT_ARITHMETIC_BYTES];
        if (!*conform_report_arithmetic(r, i, arithmetic))
            continue;
        fprintf(out, "%s%s%s%s", before, r->n_tested > 1 ? r->label[i] : "",
                r->n_tested > 1 ? ": " : "", arithmetic);
        before = "; ";
    }
}

void e2e_report_verdict(const conform_report *r, FILE *out)
{
    int64_t runs = 0, failed = 0;
    for (int i = 0; i < r->n_tested; i++) {
        runs += r->end_to_end[i].executed;
        failed += r->end_to_end[i].failed;
    }
    for (int i = 0; i < r->n_problems; i++)
        fprintf(out, "%s\n", r->problems[i]);
    fprintf(out, "%s%lld runs of whole models, %lld failed, %.1f s: %s", r->n_rows ? "\n" : "",
            (long long)runs, (long long)failed, r->seconds,
            conform_report_is_conformant(r) ? "conformant" : "NOT conformant");
    put_arithmetic(r, out);
    fputc('\n', out);
}

void e2e_report_text(const conform_report *r, FILE *out)
{
    for (int64_t i = 0; i < r->n_rows; i++) {
        const e2e_row *const row = &r->rows[i];
        if (is_first(r, i) && i > 0)
            fputc('\n', out);
        if (is_first(r, i))
            put_head(r, row, out);
        put_row(row, out);
        if (i + 1 < r->n_rows && !is_first(r, i + 1))
            continue;
        for (int64_t j = 0; j <= i; j++)
            if (r->rows[j].tested == row->tested && strcmp(r->rows[j].model, row->model) == 0)
                put_failure(r, &r->rows[j], out);
    }
}
