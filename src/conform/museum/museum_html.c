/* The kill matrix as one page that needs no other file. */
#include "escape.h"
#include "museum_report.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bug museum</title>\n"
    "<style>\n"
    "body{font:14px/1.4 sans-serif;margin:2em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse}td,th{padding:2px 6px;border-bottom:1px solid #ddd;"
    "text-align:left;vertical-align:bottom}\n"
    "th.f{writing-mode:vertical-rl;transform:rotate(180deg);font-weight:normal}\n"
    "td.k{text-align:center;background:#cde8cd}td.c{background:#5aa65a;color:#fff;"
    "text-align:center}td.d{background:#f1d9a7;text-align:center}\n"
    "tr.s{background:#f6c6c6}code{font-size:12px}.t{color:#666}\n"
    "</style></head><body>\n";

static void put_kill(const conform_museum_row *row, int family, FILE *out)
{
    const conform_museum_kill *k = &row->kills[family];
    if (!k->is_there) {
        fputs("<td></td>", out);
        return;
    }
    fprintf(out, "<td class=\"%s\" title=\"",
            conform_check_is_crash(family)         ? "d"
            : family == conform_museum_killer(row) ? "c"
                                                   : "k");
    escape_markup(k->id, out);
    fprintf(out, ", %.1f ms\">x</td>", k->seconds * 1e3);
}

static void put_row(const conform_museum_row *row, const conform_museum_sum *sum, FILE *out)
{
    const int killer = conform_museum_killer(row);
    fprintf(out, "<tr%s><td><b>", conform_museum_is_killed(row) ? "" : " class=\"s\"");
    escape_markup(row->fault->name, out);
    fputs("</b><br><span class=\"t\">", out);
    escape_markup(row->fault->text, out);
    fputs("</span></td><td>", out);
    escape_markup(row->fault->op, out);
    fputs("</td><td>", out);
    escape_markup(row->fault->source, out);
    fputs("</td>", out);
    for (int f = 0; f < CHECK_COUNT; f++)
        if (sum->kills[f])
            put_kill(row, f, out);
    if (killer >= 0) {
        fprintf(out, "<td>%.0f</td><td><code>", row->kills[killer].seconds * 1e3);
        escape_markup(row->kills[killer].id, out);
        fputs("</code></td></tr>\n", out);
    } else {
        fprintf(out, "<td></td><td>survives %lld cases</td></tr>\n", (long long)row->n_cases);
    }
}

static void put_wing(const conform_museum_report *r, int first, const conform_museum_sum *sum,
                     FILE *out)
{
    const conform_museum_wing wing = conform_museum_wing_at(r, first);
    char name[40];
    conform_museum_wing_name(&wing, name);
    fprintf(out, "<tr><th colspan=\"3\">after %s: %d of %d killed</th></tr>\n", name, wing.killed,
            wing.n);
    for (int i = 0; i < wing.n; i++)
        put_row(&r->rows[first + i], sum, out);
}

static void put_families(const conform_museum_report *r, const conform_museum_sum *sum, FILE *out)
{
    fputs("<h2>Families of tests</h2><table><tr><th>family</th><th>notices</th>"
          "<th>alone</th><th>stays because</th></tr>\n",
          out);
    for (int f = 0; f < CHECK_COUNT; f++) {
        const char *reason = conform_check_reason(f);
        if (!*conform_check_name(f))
            continue;
        fputs("<tr><td>", out);
        escape_markup(conform_check_name(f), out);
        fprintf(out, "</td><td>%d</td><td>", sum->kills[f]);
        if (conform_museum_knows_lone(r))
            fprintf(out, "%d", sum->only[f]);
        fputs("</td><td>", out);
        escape_markup(reason ? reason : "", out);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

void conform_museum_html(const conform_museum_report *r, FILE *out)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    fputs(head, out);
    fprintf(out,
            "<h1>Bug museum</h1><p>%d faults: %d killed by a judgement, %d only died, %d survived."
            " %.1f s, profile ",
            r->n, sum.killed, sum.crashed, sum.survived, r->seconds);
    escape_markup(r->profile, out);
    fputs(", over ", out);
    escape_markup(r->base, out);
    fputs(". The cheapest killing case of a fault is the dark one.</p>\n<table><tr><th>fault</th>"
          "<th>op</th><th>follows</th>",
          out);
    for (int f = 0; f < CHECK_COUNT; f++) {
        if (!sum.kills[f])
            continue;
        fputs("<th class=\"f\">", out);
        escape_markup(conform_check_name(f), out);
        fputs("</th>", out);
    }
    fputs("<th>ms to kill</th><th>cheapest case</th></tr>\n", out);
    for (int i = 0; i < r->n; i += conform_museum_wing_at(r, i).n)
        put_wing(r, i, &sum, out);
    fputs("</table>\n", out);
    put_families(r, &sum, out);
    fputs("</body></html>\n", out);
}
