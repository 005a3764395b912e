/* Writes a histogram for each op of how near its cases come to their bounds. */
#include <math.h>

#include "escape.h"
#include "page.h"
#include "report_html.h"

enum { BAR = 10, HEIGHT = 34 };

static int64_t total_of(const conform_cell *c)
{
    int64_t n = 0;
    for (int i = 0; i < HEADROOM_BINS; i++)
        n += c->headroom[i];
    return n;
}

/* Heights are logarithmic, so that one case among thousands is still visible. */
static double height_of(int64_t n, int64_t most)
{
    return n ? (HEIGHT - 4) * (log1p((double)n) / log1p((double)most)) + 1.5 : 0;
}

static void put_bar(const conform_cell *c, int bin, int64_t most, FILE *out)
{
    char name[40];
    const double height = height_of(c->headroom[bin], most);
    if (!c->headroom[bin])
        return;
    fprintf(out,
            "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"><title>%s: %lld "
            "cases</title></rect>",
            bin <= HEADROOM_LAST_WITHIN ? "in" : "out", bin * BAR + 1, HEIGHT - height, BAR - 2,
            height, headroom_name(bin, name, sizeof name), (long long)c->headroom[bin]);
}

static void put_words(const conform_cell *c, FILE *out)
{
    char name[40];
    int n = 0;
    for (int i = 0; i < HEADROOM_BINS; i++)
        if (c->headroom[i])
            fprintf(out, "%s%s: %lld", n++ ? ", " : "", headroom_name(i, name, sizeof name),
                    (long long)c->headroom[i]);
}

static void put_histogram(const conform_cell *c, FILE *out)
{
    const int border = (HEADROOM_LAST_WITHIN + 1) * BAR, width = HEADROOM_BINS * BAR;
    int64_t most = 1;
    for (int i = 0; i < HEADROOM_BINS; i++)
        most = c->headroom[i] > most ? c->headroom[i] : most;
    fprintf(out, "<svg class=\"hist\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width,
            HEIGHT);
    put_words(c, out);
    fputs("\">", out);
    for (int i = 0; i < HEADROOM_BINS; i++)
        put_bar(c, i, most, out);
    fprintf(out,
            "<line class=\"ground\" x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><line class=\"bound\" "
            "x1=\"%d\" y1=\"0\" x2=\"%d\" y2=\"%d\"/></svg>",
            HEIGHT, width, HEIGHT, border, border, HEIGHT);
}

static void put_row(const conform_report *r, int op, int s, FILE *out)
{
    const conform_cell *const c = conform_report_cell(r, (ifn_op)op, s);
    const int64_t n = total_of(c);
    fputs("<tr", out);
    html_put_item(r, (ifn_op)op, s, html_verdict(c), out);
    fputs(c->is_inherited ? " data-inherited=\"\">" : ">", out);
    page_put("<th scope=\"row\">", ifn_op_name((ifn_op)op), "</th><td class=\"l\"><code>", out);
    page_put("", r->label[s], "</code></td><td class=\"l\">", out);
    if (n)
        put_histogram(c, out);
    fprintf(out, "</td><td>%lld</td><td>%.0f %%</td><td data-key=\"%.9g\">%.2g</td>", (long long)n,
            n ? 100 * (double)c->headroom[HEADROOM_EXACT] / (double)n : 0, c->ratio, c->ratio);
    page_put("<td class=\"l\"><code>", c->worst, "</code></td></tr>\n", out);
}

void html_headroom(const conform_report *r, FILE *out)
{
    fputs(
        "<section id=\"headroom\"><h2>Headroom</h2>\n<p class=\"sub\">Cases by how much of the "
        "bound their largest error uses. From the left: exact, up to 2<sup>-8</sup> of the bound, "
        "then a bar for each power of two; the dashed line is the bound, and what is right of it "
        "is wrong. Heights go by the logarithm of the number of cases.</p>\n"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Headroom by op\">"
        "<table class=\"sortable\"><caption>error/bound of cases that were compared with the f64 "
        "truth</caption>\n<thead><tr><th scope=\"col\" class=\"l\">op</th><th scope=\"col\" "
        "class=\"l\">backend</th><th scope=\"col\" class=\"l\">distribution</th><th scope=\"col\" "
        "class=\"n\">cases</th><th scope=\"col\" class=\"n\">exact</th><th scope=\"col\" "
        "class=\"n\">worst</th><th scope=\"col\" class=\"l\">worst case</th></tr></thead><tbody>\n",
        out);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int s = 0; s < r->n_tested; s++)
            if (conform_report_cell(r, (ifn_op)op, s)->cases)
                put_row(r, op, s, out);
    fputs("</tbody></table></div></section>\n", out);
}
