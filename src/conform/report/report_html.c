/* The report as one page: no other file is needed, light or dark as the reader's screen is. It is
 * XML as well, so that tests can read it. */
#include <math.h>
#include <stdlib.h>

#include "escape.h"
#include "report_level.h"
#include "report_numbers.h"
#include "report_repeat.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--dim:#60656c;--line:#d9dde2;--page:#ffffff;"
    "--card:#f5f7f9;--bar:#3b82c4;--good:#1d7f4c;--bad:#c2281f;--badbg:#fde8e6}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--dim:#9aa1ab;--line:#343a42;"
    "--page:#14171a;--card:#1d2126;--bar:#6aaeea;--good:#58c98d;--bad:#ff8a80;--badbg:#47211f}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;"
    "max-width:1200px;padding:2rem 1.5rem}\n"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}\n"
    "p.sub{color:var(--dim);margin:.2rem 0 1.2rem}\n"
    ".cards{display:flex;flex-wrap:wrap;gap:1rem}.card{background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;padding:.8rem 1.1rem;min-width:14rem;max-width:34rem}\n"
    ".card b{display:block;font-size:1.3rem}.card span{color:var(--dim);font-size:.88rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:.88rem}\n"
    "th,td{padding:.22rem .6rem;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th{color:var(--dim);font-weight:600}td.l,th.l{text-align:left}\n"
    "th.g,td.g{border-left:1px solid var(--line)}.bad{color:var(--bad);font-weight:600}"
    "tr.bad td{background:var(--badbg)}.good{color:var(--good)}.dim{color:var(--dim)}\n"
    ".bar{display:inline-block;width:90px;height:9px;border:1px solid "
    "var(--line);border-radius:3px;"
    "margin-right:.5rem;vertical-align:middle;text-align:left}.bar i{display:block;height:9px;"
    "background:var(--bar);border-radius:2px}.bar i.over{background:var(--bad)}\n"
    "code{font:.82rem ui-monospace,monospace;overflow-wrap:anywhere;white-space:normal}\n"
    ".fail{background:var(--badbg);border-left:4px solid var(--bad);border-radius:4px;"
    "padding:.6rem .9rem;margin:.7rem 0}.fail div{margin:.15rem 0}\n";

static void put_element(const char *open, const char *text, const char *close, FILE *out)
{
    fputs(open, out);
    escape_markup(text, out);
    fputs(close, out);
}

static int op_ran(const conform_report *r, int op)
{
    for (int s = 0; s < r->n_subjects; s++)
        if (conform_report_cell(r, (ifn_op)op, s)->cases)
            return 1;
    return 0;
}

static void put_verdict(const conform_report *r, FILE *out)
{
    char *text = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&text, &bytes);
    if (memory) {
        conform_report_verdict(r, memory);
        fclose(memory);
    }
    escape_markup(text ? text : "", out);
    free(text);
}

/* An old report knows nothing of it. */
static void put_origin(const report_origin *o, FILE *out)
{
    if (!o->version[0])
        return;
    put_element("<p class=\"sub\">inferno ", o->version, "", out);
    put_element(" (", o->commit, "", out);
    put_element(", program ", o->program, ")", out);
    put_element(" on ", o->cpu, "", out);
    put_element(", ", o->os, "", out);
    put_element(", ", o->date, "<br/>", out);
    put_element("<code>", o->command, "</code></p>\n", out);
}

static void put_head(const conform_report *r, FILE *out)
{
    int64_t cases = 0, failed = 0;
    for (int s = 0; s < r->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            cases += conform_report_cell(r, (ifn_op)op, s)->cases;
            failed += conform_report_cell(r, (ifn_op)op, s)->failed;
        }
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
          "<title>inferno conform</title>\n<style>\n",
          out);
    fputs(style, out);
    fputs(conform_reach_style, out);
    fputs("</style></head>\n<body><h1>inferno conform: ", out);
    fputs(conform_report_is_conformant(r) ? "<span class=\"good\">" : "<span class=\"bad\">", out);
    put_verdict(r, out);
    fprintf(out, "</span></h1>\n<p class=\"sub\">%lld cases, %lld failed; profile ",
            (long long)cases, (long long)failed);
    escape_markup(r->profile, out);
    put_element(", shard ", r->shard, "", out);
    fprintf(out, ", seed %llu, %.1f s</p>\n", (unsigned long long)r->seed, r->seconds);
    put_origin(&r->origin, out);
}

static void put_levels(const conform_report *r, FILE *out)
{
    fputs("<h2>Levels</h2>\n<div class=\"cards\">\n", out);
    for (int s = 0; s < r->n_subjects; s++) {
        const conform_level level = conform_level_of(r, s);
        put_element("<div class=\"card\"><code>", r->label[s], "</code><b>", out);
        put_element("", conform_rank_name(level.rank), "</b><span>", out);
        if (r->binary[s].file[0])
            put_element("", r->binary[s].file, ", ", out);
        if (r->binary[s].hash[0])
            put_element("hash ", r->binary[s].hash, ". ", out);
        if (level.base[0]) {
            fprintf(out, "%d of %d ops of its own, the others inherited from ", level.own,
                    IFN_OP_COUNT);
            put_element("", level.base, ". ", out);
        }
        if (level.lacks[0]) {
            put_element("", conform_rank_name((conform_rank)(level.rank + 1)), ": ", out);
            put_element("", level.lacks, ".", out);
        }
        fputs("</span></div>\n", out);
    }
    fputs("</div>\n", out);
}

static void put_problems(const conform_report *r, FILE *out)
{
    if (!r->n_problems)
        return;
    fputs("<h2>Problems</h2>\n<ul>\n", out);
    for (int i = 0; i < r->n_problems; i++)
        put_element("<li class=\"bad\">", r->problems[i], "</li>\n", out);
    fputs("</ul>\n", out);
}

/* How much of the bound the worst error uses. */
static void put_headroom(double ratio, FILE *out)
{
    const double part = ratio <= 1 ? ratio : 1;
    fprintf(out, "<span class=\"bar\"><i%s style=\"width:%.0f%%\"></i></span>",
            ratio <= 1 ? "" : " class=\"over\"", 100 * part);
    if (isinf(ratio))
        fputs("inf", out);
    else
        fprintf(out, ratio < 100 ? "%.2f" : "%.0e", ratio);
}

static void put_cell(const conform_cell *c, FILE *out)
{
    if (!c->cases) {
        fputs("<td class=\"g dim\" colspan=\"6\">not run</td>", out);
        return;
    }
    fprintf(out,
            "<td class=\"g\">%lld</td><td>%lld</td><td%s>%lld</td><td>%lld</td><td class=\"l\">",
            (long long)c->cases, (long long)c->refused, c->failed ? " class=\"bad\"" : "",
            (long long)c->failed, (long long)c->blunt);
    put_headroom(c->ratio, out);
    put_element("</td><td class=\"l dim\">", c->by, "</td>", out);
}

static void put_matrix(const conform_report *r, FILE *out)
{
    fputs(
        "<h2>Ops</h2>\n<p class=\"sub\">Worst: the largest error divided by its bound, against the "
        "f64 truth; 1 is all that is allowed.</p>\n<div class=\"wide\"><table>\n<tr><th></th>",
        out);
    for (int s = 0; s < r->n_subjects; s++)
        put_element("<th class=\"l g\" colspan=\"6\">", r->label[s], "</th>", out);
    fputs("</tr>\n<tr><th class=\"l\">op</th>", out);
    for (int s = 0; s < r->n_subjects; s++)
        fputs("<th class=\"g\">cases</th><th>refused</th><th>failed</th><th>blunt</th>"
              "<th class=\"l\">worst</th><th class=\"l\">by</th>",
              out);
    fputs("</tr>\n", out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        if (!op_ran(r, op))
            continue;
        put_element("<tr><td class=\"l\">", ifn_op_name((ifn_op)op), "</td>", out);
        for (int s = 0; s < r->n_subjects; s++)
            put_cell(conform_report_cell(r, (ifn_op)op, s), out);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

/* The cases that come nearest to their bounds, one for each op. */
static void put_worst(const conform_report *r, FILE *out)
{
    fputs("<h2>Worst cases</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"l\">backend</th>"
          "<th>error/bound</th><th class=\"l\">case</th></tr>\n",
          out);
    for (int s = 0; s < r->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
            if (!(c->ratio > 0) || !c->worst[0])
                continue;
            put_element("<tr><td class=\"l\">", r->label[s], "</td><td>", out);
            put_headroom(c->ratio, out);
            put_element("</td><td class=\"l\"><code>", c->worst, "</code></td></tr>\n", out);
        }
    fputs("</table></div>\n", out);
}

static void put_numbers(const conform_verdict *v, FILE *out)
{
    if (!conform_has_numbers(v))
        return;
    fputs("<div><code>", out);
    conform_put_numbers(v, &conform_numbers_in_line, out);
    fputs("</code></div>", out);
}

static void put_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    char *const again = conform_repeat_text(r, f);
    put_element("<div class=\"fail\"><b>", ifn_op_name(f->op), "</b> on ", out);
    put_element("<code>", r->label[f->subject], "</code>: ", out);
    put_element("<b>", f->fault, "</b>", out);
    if (f->verdict.fault != FAULT_NONE)
        put_element(": ", conform_fault_text(f->verdict.fault), "", out);
    put_element("<div>", f->verdict.detail, "</div>", out);
    put_numbers(&f->verdict, out);
    if (f->nature[0])
        put_element("<div>", f->nature, "</div>", out);
    if (f->when[0])
        put_element("<div>", f->when, "</div>", out);
    if (f->shrunk[0])
        put_element("<div>smallest: <code>", f->shrunk, "</code></div>", out);
    put_element("<div>found: <code>", f->id, "</code></div>", out);
    put_element("<div>again: <code>", again, "</code></div></div>\n", out);
    free(again);
}

static void put_failures(const conform_report *r, FILE *out)
{
    if (!r->n_failures)
        return;
    fputs("<h2>Failures</h2>\n", out);
    for (int64_t i = 0; i < r->n_failures; i++)
        put_failure(r, &r->failures[i], out);
}

static void put_refusal(const char *label, ifn_op op, const char *kind, ifn_dtype dtype,
                        const conform_kind *k, FILE *out)
{
    fprintf(out, "<tr%s><td class=\"l\">", k->undeclared ? " class=\"bad\"" : "");
    put_element("", label, "</td><td class=\"l\">", out);
    put_element("", ifn_op_name(op), "</td><td class=\"l\">", out);
    fprintf(out, "%s %s</td><td>%lld</td><td>%lld</td></tr>\n", kind, ifn_dtype_name(dtype),
            (long long)k->refused, (long long)k->undeclared);
}

static void put_refusals(const conform_report *r, FILE *out)
{
    int n = 0;
    for (int s = 0; s < r->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            for (int i = 0; i < 2 * IFN_DTYPE_COUNT; i++) {
                const conform_kind *k = &conform_report_cell(r, (ifn_op)op, s)->kinds[i / 2][i % 2];
                if (!k->refused)
                    continue;
                if (n++ == 0)
                    fputs("<h2>Refusals</h2>\n<table>\n<tr><th class=\"l\">backend</th>"
                          "<th class=\"l\">op</th><th class=\"l\">dtype</th><th>refused</th>"
                          "<th>not declared</th></tr>\n",
                          out);
                put_refusal(r->label[s], (ifn_op)op, i % 2 ? "prepared" : "raw", (ifn_dtype)(i / 2),
                            k, out);
            }
    fputs(n ? "</table>\n" : "<h2>Refusals</h2>\n<p>None.</p>\n", out);
}

/* Held of tried; in brackets where equal bits were not promised. */
static void put_relation(const conform_relation_count *k, FILE *out)
{
    if (!k->tried)
        fputs("<td class=\"dim\">-</td>", out);
    else if (k->held == k->tried)
        fprintf(out, k->demanded ? "<td>%lld</td>" : "<td class=\"dim\">(%lld)</td>",
                (long long)k->tried);
    else
        fprintf(out, "<td class=\"%s\">%lld/%lld</td>", k->demanded ? "bad" : "dim",
                (long long)k->held, (long long)k->tried);
}

static void put_relations(const conform_report *r, int s, FILE *out)
{
    put_element("<h2>Invariances: ", r->label[s], "</h2>\n<div class=\"wide\"><table>\n", out);
    fputs("<tr><th class=\"l\">op</th>", out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        fprintf(out, "<th>R%d</th>", i);
    fputs("</tr>\n", out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        if (!c->cases)
            continue;
        put_element("<tr><td class=\"l\">", ifn_op_name((ifn_op)op), "</td>", out);
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            put_relation(&c->relations[i], out);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

void conform_report_html(const conform_report *r, FILE *out)
{
    put_head(r, out);
    put_levels(r, out);
    put_problems(r, out);
    put_failures(r, out);
    put_matrix(r, out);
    put_worst(r, out);
    put_refusals(r, out);
    for (int s = 0; s < r->n_subjects; s++)
        put_relations(r, s, out);
    conform_report_reach_html(r, out);
    fputs("</body></html>\n", out);
}
