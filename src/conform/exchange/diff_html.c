/* Writes the comparison as an HTML page in the frame of a report's page. */
#include "diff.h"
#include "page.h"
#include "report_rank.h"

static void put_side(const char *name, const char *path, const conform_report *r, FILE *out)
{
    fprintf(out, "<div class=\"card\"><b>%s: ", name);
    page_put(conform_report_is_conformant(r) ? "conformant" : "NOT conformant", "", "</b>", out);
    page_put("<p><code>", path, "</code></p><dl class=\"facts\"><dt>date</dt><dd>", out);
    page_put("", r->origin.date, "</dd><dt>inferno</dt><dd>", out);
    page_put("", r->origin.version, "</dd><dt>commit</dt><dd>", out);
    page_put("", r->origin.commit, "</dd><dt>processor</dt><dd>", out);
    page_put("", r->origin.cpu, "</dd><dt>profile</dt><dd>", out);
    page_put("", r->profile, "</dd></dl>", out);
    if (r->origin.command[0])
        page_put_command(r->origin.command, out);
    fputs("</div>\n", out);
}

static void put_standing(const report_diff *d, const char *label, FILE *out)
{
    const int a = conform_report_tested(d->a, label), b = conform_report_tested(d->b, label);
    page_put("<dt><code>", label, "</code></dt><dd>", out);
    fprintf(out, "%s to %s</dd>\n",
            a < 0 ? "not there" : conform_rank_name(conform_standing_of(d->a, a).rank),
            b < 0 ? "not there" : conform_rank_name(conform_standing_of(d->b, b).rank));
}

static void put_standings(const report_diff *d, FILE *out)
{
    fputs("<section id=\"ranks\"><h2>Ranks</h2><dl class=\"facts\">\n", out);
    for (int s = 0; s < d->b->n_tested; s++)
        put_standing(d, d->b->label[s], out);
    for (int s = 0; s < d->a->n_tested; s++)
        if (conform_report_tested(d->b, d->a->label[s]) < 0)
            put_standing(d, d->a->label[s], out);
    fputs("</dl></section>\n", out);
}

static void put_pair(int64_t a, int64_t b, FILE *out)
{
    fprintf(out, "<td%s>%lld</td><td%s>%lld</td>", a == b ? " class=\"dim\"" : "", (long long)a,
            a == b ? " class=\"dim\"" : "", (long long)b);
}

static void put_cell(const diff_cell *c, FILE *out)
{
    static const char *const tints[] = {"good", "warn", "good", "bad"};
    static const conform_cell none;
    const conform_cell *const a = c->a ? c->a : &none, *const b = c->b ? c->b : &none;
    fprintf(out, "<tr><th scope=\"row\">%s</th>", ifn_op_name(c->op));
    page_put("<td class=\"l\"><code>", c->label, "</code></td><td class=\"l\">", out);
    fprintf(out, "<span class=\"chip %s\">%s</span></td>", tints[c->change],
            diff_change_name(c->change));
    put_pair(a->cases, b->cases, out);
    put_pair(a->refused, b->refused, out);
    put_pair(a->failed, b->failed, out);
    fprintf(out, "<td>%.3g</td><td>%.3g</td></tr>\n", a->ratio, b->ratio);
}

static void put_cells(const report_diff *d, FILE *out)
{
    fputs("<section id=\"ops\"><h2>Ops</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Ops that changed\"><table class=\"sortable\"><caption>ops that changed, A "
          "beside B</caption><thead><tr><th scope=\"col\" class=\"l\">op</th><th scope=\"col\" "
          "class=\"l\">backend</th><th scope=\"col\" class=\"l\">B is</th>",
          out);
    static const char *const numbers[] = {"cases", "refused", "failed", "worst"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out,
                "<th scope=\"col\" class=\"n\">%s A</th><th scope=\"col\" class=\"n\">%s B</th>",
                numbers[i], numbers[i]);
    fputs("</tr></thead><tbody>\n", out);
    for (int64_t i = 0; i < d->n; i++)
        if (d->cells[i].change != DIFF_SAME)
            put_cell(&d->cells[i], out);
    fputs("</tbody></table></div></section>\n", out);
}

static void put_failures(const conform_report *of, const conform_report *other, const char *class,
                         FILE *out)
{
    for (int64_t i = 0; i < of->n_failures; i++) {
        const conform_failure *const f = &of->failures[i];
        if (diff_has_failure(other, of, f))
            continue;
        fprintf(out, "<li class=\"%s\"><code>", class);
        page_put("", of->label[f->tested], "</code> ", out);
        page_put("", f->check, ": <code>", out);
        page_put("", f->id, "</code></li>\n", out);
    }
    for (int i = 0; i < of->n_problems; i++) {
        if (diff_has_problem(other, of->problems[i]))
            continue;
        fprintf(out, "<li class=\"%s\">", class);
        page_put("", of->problems[i], "</li>\n", out);
    }
}

static void put_lists(const report_diff *d, FILE *out)
{
    fputs("<section id=\"new\"><h2>New in B</h2><ul>\n", out);
    put_failures(d->b, d->a, "bad", out);
    fputs("</ul></section>\n<section id=\"gone\"><h2>Gone from A</h2><ul>\n", out);
    put_failures(d->a, d->b, "good", out);
    fputs("</ul></section>\n", out);
}

void diff_html(const report_diff *d, FILE *out)
{
    const bool is_worse = diff_is_worse(d);
    page_open(is_worse ? "B is worse - inferno conform diff"
                       : "B is no worse - inferno conform diff",
              out);
    fprintf(out,
            "<header><h1>inferno conform diff: <span class=\"%s\">%s</span></h1>\n<p "
            "class=\"sub\">%lld ops on backends: %lld worse, %lld better, %lld otherwise "
            "different</p></header>\n<main id=\"main\"><div class=\"cards\">\n",
            is_worse ? "bad" : "good", is_worse ? "B is worse" : "B is no worse", (long long)d->n,
            (long long)d->n_worse, (long long)d->n_better, (long long)d->n_other);
    put_side("A", d->path_a, d->a, out);
    put_side("B", d->path_b, d->b, out);
    fputs("</div>\n", out);
    put_standings(d, out);
    put_cells(d, out);
    put_lists(d, out);
    fputs("</main>\n", out);
    page_close(out);
}
