/* Writes TAP 13 with one line per op and backend. */
#include "report_numbers.h"
#include "report_rank.h"
#include "report_repeat.h"

static int count_lines(const conform_report *r)
{
    int n = r->n_problems;
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += conform_report_cell(r, (ifn_op)op, s)->cases > 0;
    return n;
}

static void put_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    fprintf(out, "# %s: %s: %s\n", f->check, f->id, f->verdict.detail);
    if (conform_has_numbers(&f->verdict)) {
        fputs("#   ", out);
        conform_put_numbers(&f->verdict, &conform_numbers_in_line, out);
        fputc('\n', out);
    }
    fputs("#   again: ", out);
    conform_put_repeat(r, f, out);
    fputc('\n', out);
}

static void put_failures(const conform_report *r, ifn_op op, int s, FILE *out)
{
    for (int64_t i = 0; i < r->n_failures; i++) {
        const conform_failure *f = &r->failures[i];
        if (f->op == op && f->tested == s)
            put_failure(r, f, out);
    }
}

static void put_origin(const conform_report *r, FILE *out)
{
    const report_origin *const o = &r->origin;
    if (o->version[0])
        fprintf(out, "# inferno %s (%s, program %s) on %s, %s, %s\n", o->version, o->commit,
                o->program, o->cpu, o->os, o->date);
    fprintf(out, "# profile %s, shard %s, seed %llu%s%s\n", r->profile, r->shard,
            (unsigned long long)r->seed, r->filters[0] ? ", " : "", r->filters);
}

void conform_report_tap(const conform_report *r, FILE *out)
{
    int n = 0;
    fprintf(out, "TAP version 13\n1..%d\n", count_lines(r));
    put_origin(r, out);
    for (int s = 0; s < r->n_tested; s++) {
        char arithmetic[REPORT_ARITHMETIC_BYTES];
        if (*conform_report_arithmetic(r, s, arithmetic))
            fprintf(out, "# %s: %s\n", r->label[s], arithmetic);
    }
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
            if (!c->cases)
                continue;
            fprintf(out, "%s %d - %s %s: %lld cases, %lld refused, %lld failed\n",
                    c->failed ? "not ok" : "ok", ++n, r->label[s], ifn_op_name((ifn_op)op),
                    (long long)c->cases, (long long)c->refused, (long long)c->failed);
            fprintf(out, "  ---\n  duration_ms: %.3f\n  ...\n", 1e3 * c->seconds);
            put_failures(r, (ifn_op)op, s, out);
        }
    for (int i = 0; i < r->n_problems; i++)
        fprintf(out, "not ok %d - %s\n", ++n, r->problems[i]);
}
