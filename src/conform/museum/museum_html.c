/* Writes the kill matrix as a self-contained HTML page. */
#include <stdbool.h>

#include "escape.h"
#include "museum_report.h"
#include "page.h"

/* Writes a letter in addition to the colour, for readers who do not see colours. */
static void put_kill(const conform_museum_row *row, int detector, FILE *out)
{
    const conform_museum_kill *k = &row->kills[detector];
    const bool is_death = conform_detector_is_crash(detector);
    if (!k->is_there) {
        fputs("<td></td>", out);
        return;
    }
    fprintf(out, "<td class=\"kill %s\" title=\"",
            is_death                                 ? "death"
            : detector == conform_museum_killer(row) ? "first"
                                                     : "also");
    escape_markup(k->id, out);
    fprintf(out, ", %.1f ms\">%s</td>", k->seconds * 1e3,
            is_death                                 ? "d"
            : detector == conform_museum_killer(row) ? "K"
                                                     : "k");
}

static void put_row(const conform_museum_row *row, const conform_museum_sum *sum, FILE *out)
{
    const int killer = conform_museum_killer(row);
    fprintf(out, "<tr id=\"%s\"%s>", row->fault->name,
            conform_museum_is_killed(row) ? "" : " class=\"bad\"");
    page_put("<th scope=\"row\">", row->fault->name, "<br/>", out);
    page_put("<span class=\"dim\">", row->fault->text, "</span></th>", out);
    page_put("<td class=\"l\">", row->fault->op, "</td>", out);
    page_put("<td class=\"l\">", row->fault->source, "</td>", out);
    for (int f = 0; f < DETECTOR_COUNT; f++)
        if (sum->kills[f])
            put_kill(row, f, out);
    if (killer >= 0) {
        fprintf(out, "<td>%.0f</td>", row->kills[killer].seconds * 1e3);
        page_put("<td class=\"l\"><code>", row->kills[killer].id, "</code></td></tr>\n", out);
    } else {
        fprintf(out, "<td></td><td class=\"l bad\">survives %lld cases</td></tr>\n",
                (long long)row->n_cases);
    }
}

static void put_wing(const conform_museum_report *r, int first, const conform_museum_sum *sum,
                     FILE *out)
{
    const conform_museum_wing wing = conform_museum_wing_at(r, first);
    char name[40];
    conform_museum_wing_name(&wing, name);
    fprintf(out,
            "<tbody><tr><th scope=\"rowgroup\" class=\"l\" colspan=\"3\">after %s: %d of %d "
            "killed</th></tr>\n",
            name, wing.killed, wing.n);
    for (int i = 0; i < wing.n; i++)
        put_row(&r->rows[first + i], sum, out);
    fputs("</tbody>\n", out);
}

static void put_detectors(const conform_museum_report *r, const conform_museum_sum *sum, FILE *out)
{
    fputs("<section id=\"detectors\"><h2>Detectors</h2><div class=\"wide\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"Detectors\"><table class=\"sortable\"><thead><tr>"
          "<th scope=\"col\" class=\"l\">detector</th><th scope=\"col\" class=\"n\">notices</th>"
          "<th scope=\"col\" class=\"n\">alone</th><th scope=\"col\" class=\"l\">stays because</th>"
          "</tr></thead><tbody>\n",
          out);
    for (int f = 0; f < DETECTOR_COUNT; f++) {
        const char *reason = conform_detector_reason(f);
        if (!*conform_detector_name(f))
            continue;
        page_put("<tr><th scope=\"row\">", conform_detector_name(f), "</th>", out);
        fprintf(out, "<td>%d</td><td>", sum->kills[f]);
        if (conform_museum_knows_lone(r))
            fprintf(out, "%d", sum->only[f]);
        page_put("</td><td class=\"l\">", reason ? reason : "", "</td></tr>\n", out);
    }
    fputs("</tbody></table></div></section>\n", out);
}

static void put_head(const conform_museum_report *r, const conform_museum_sum *sum, FILE *out)
{
    page_open("Bug museum - inferno conform", out);
    fprintf(out,
            "<header><h1>Bug museum: <span class=\"%s\">%d of %d killed</span></h1><p "
            "class=\"sub\">%d faults: %d killed by a judgement, %d only died, %d survived. %.1f s, "
            "profile ",
            sum->killed == r->n ? "good" : "bad", sum->killed, r->n, r->n, sum->killed,
            sum->crashed, sum->survived, r->seconds);
    page_put("", r->profile, ", over ", out);
    page_put("", r->base, ". ", out);
    page_put("", r->origin.date, ", inferno ", out);
    page_put("", r->origin.version, ", commit ", out);
    page_put("", r->origin.commit, "</p>", out);
    fputs("<p class=\"sub\">K: the detector of the cheapest killing case; k: notices, too; d: the "
          "process "
          "died of it, which is no judgement.</p></header>\n",
          out);
}

static void put_columns(const conform_museum_sum *sum, FILE *out)
{
    fputs(
        "<section id=\"faults\"><h2>Faults</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Faults by detector\"><table class=\"kills\"><thead><tr>"
        "<th scope=\"col\" class=\"l\">fault</th><th scope=\"col\" class=\"l\">op</th>"
        "<th scope=\"col\" class=\"l\">follows</th>",
        out);
    for (int f = 0; f < DETECTOR_COUNT; f++)
        if (sum->kills[f])
            page_put("<th scope=\"col\" class=\"f\">", conform_detector_name(f), "</th>", out);
    fputs("<th scope=\"col\">ms to kill</th><th scope=\"col\" class=\"l\">cheapest case</th></tr>"
          "</thead>\n",
          out);
}

void conform_museum_html(const conform_museum_report *r, FILE *out)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    put_head(r, &sum, out);
    fputs("<main id=\"main\">\n", out);
    put_columns(&sum, out);
    for (int i = 0; i < r->n; i += conform_museum_wing_at(r, i).n)
        put_wing(r, i, &sum, out);
    fputs("</table></div></section>\n", out);
    put_detectors(r, &sum, out);
    fputs("</main>\n", out);
    page_close(out);
}
