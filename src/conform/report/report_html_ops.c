/* Writes the heat map of the worst error / bound of every op, backend and dtype. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "page.h"
#include "report_html.h"

/* Decades of error / bound that the colour scale covers, below 1 and above. */
#define DECADES_WITHIN 4.0
#define DECADES_OVER   8.0

/* Beyond the bound and from this value of the scale on, the cell is so dark that its text has the other colour. */
#define DEEP 0.5

static double clamp(double x)
{
    return fmin(fmax(x, 0), 1);
}

/* Returns the place of a ratio on its logarithmic scale, 0 .. 1, so that 3e7 and 1.01 have different colours. */
static double place_of(double ratio)
{
    if (ratio <= 0)
        return 0;
    return ratio <= 1 ? clamp(1 + log10(ratio) / DECADES_WITHIN)
                      : clamp(log10(ratio) / DECADES_OVER);
}

/* class="over deep" style="--v:0.93" */
static void put_heat(double ratio, bool is_wrong, FILE *out)
{
    const bool is_over = ratio > 1 || is_wrong;
    const double v = ratio > 1 || !is_wrong ? place_of(ratio) : 1;
    fprintf(out, " class=\"%s%s\" style=\"--v:%.2f\"", is_over ? "over" : "within",
            is_over && v > DEEP ? " deep" : "", v);
}

static void put_ratio(double ratio, FILE *out)
{
    if (isinf(ratio))
        fputs("inf", out);
    else if (ratio < 0.001 || ratio >= 1000)
        fprintf(out, ratio > 0 ? "%.0e" : "%.0f", ratio);
    else
        fprintf(out, "%.2g", ratio);
}

static void put_scale(FILE *out)
{
    static const double marks[] = {0, 1e-4, 1e-3, 0.01, 0.1, 1, 1.01, 10, 1e3, 1e5, 1e7, 1e8};
    fputs("<ul class=\"scale\" aria-label=\"Colours by error/bound\">", out);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        fputs("<li", out);
        put_heat(marks[i], 0, out);
        fprintf(out, ">%s%.3g</li>", marks[i] > 0 ? "" : "exact ", marks[i]);
    }
    fputs("<li class=\"refused\">refused</li></ul>\n", out);
}

/* Sums the counts of raw and prepared weights of a dtype. */
static conform_kind both_kinds(const conform_cell *c, int dtype)
{
    const conform_kind *const raw = &c->kinds[dtype][0], *const prepared = &c->kinds[dtype][1];
    return (conform_kind){.executed = raw->executed + prepared->executed,
                          .refused = raw->refused + prepared->refused,
                          .failed = raw->failed + prepared->failed,
                          .ratio = fmax(raw->ratio, prepared->ratio)};
}

static bool has_dtype(const conform_report *r, int dtype)
{
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const conform_kind k = both_kinds(conform_report_cell(r, (ifn_op)op, s), dtype);
            if (k.executed || k.refused)
                return true;
        }
    return false;
}

/* Returns the first kept failure of an op on a backend; NULL: none. */
static const conform_failure *failure_of(const conform_report *r, int op, int s)
{
    for (int64_t i = 0; i < r->n_failures; i++)
        if ((int)r->failures[i].op == op && r->failures[i].tested == s)
            return &r->failures[i];
    return NULL;
}

static void put_dtype(const conform_report *r, int op, int s, int dtype, FILE *out)
{
    const conform_kind k = both_kinds(conform_report_cell(r, (ifn_op)op, s), dtype);
    const conform_failure *const f = k.failed ? failure_of(r, op, s) : NULL;
    char anchor[HTML_ANCHOR_BYTES];
    if (!k.executed) {
        fputs(k.refused ? "<td class=\"refused\">refused</td>" : "<td></td>", out);
        return;
    }
    fputs("<td", out);
    put_heat(k.ratio, k.failed > 0, out);
    fputs(">", out);
    if (f) {
        html_anchor(r, f, anchor);
        fprintf(out, "<a href=\"#%s\">", anchor);
    }
    put_ratio(k.ratio, out);
    fputs(f ? "</a>" : "", out);
    if (k.failed)
        fprintf(out, "<small>%lld failed</small>", (long long)k.failed);
    if (k.refused)
        fprintf(out, "<small>%lld refused</small>", (long long)k.refused);
    fputs("</td>", out);
}

static void put_verdict(const char *verdict, FILE *out)
{
    const char *const tint = strcmp(verdict, "failed") == 0   ? "bad"
                             : strcmp(verdict, "passed") == 0 ? "good"
                                                              : "warn";
    fprintf(out, "<td class=\"l\"><span class=\"chip %s\">%s</span></td>", tint, verdict);
}

static void put_row(const conform_report *r, int op, int s, FILE *out)
{
    const conform_cell *const c = conform_report_cell(r, (ifn_op)op, s);
    fprintf(out, "<tr id=\"op-%s-%d\"", ifn_op_name((ifn_op)op), s);
    html_put_item(r, (ifn_op)op, s, html_verdict(c), out);
    fputs(c->is_inherited ? " data-inherited=\"\">" : ">", out);
    page_put("<th scope=\"row\">", ifn_op_name((ifn_op)op), "</th><td class=\"l\"><code>", out);
    page_put("", r->label[s], "</code></td>", out);
    put_verdict(html_verdict(c), out);
    fprintf(out, "<td>%lld</td><td>%lld</td><td%s>%lld</td><td>%lld</td><td", (long long)c->cases,
            (long long)c->refused, c->failed ? " class=\"bad\"" : "", (long long)c->failed,
            (long long)c->blunt);
    put_heat(c->ratio, c->failed > 0, out);
    fprintf(out, " data-key=\"%.9g\">", c->ratio);
    put_ratio(c->ratio, out);
    fputs("</td>", out);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        if (has_dtype(r, d))
            put_dtype(r, op, s, d, out);
    page_put("<td class=\"l dim\">", c->by, c->is_inherited ? ", inherited</td>" : "</td>", out);
    fprintf(out, "<td class=\"l\"><a href=\"#inv-%s-%d\">invariances</a></td></tr>\n",
            ifn_op_name((ifn_op)op), s);
}

static void put_columns(const conform_report *r, FILE *out)
{
    fputs("<thead><tr><th scope=\"col\" class=\"l\">op</th><th scope=\"col\" class=\"l\">backend"
          "</th><th scope=\"col\" class=\"l\">verdict</th>",
          out);
    static const char *const numbers[] = {"cases", "refused", "failed", "blunt", "worst"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", numbers[i]);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        if (has_dtype(r, d))
            fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", ifn_dtype_name((ifn_dtype)d));
    fputs(
        "<th scope=\"col\" class=\"l\">by</th><th scope=\"col\" class=\"l\">more</th></tr></thead>"
        "<tbody>\n",
        out);
}

void html_ops(const conform_report *r, FILE *out)
{
    fputs("<section id=\"ops\"><h2>Ops</h2>\n<p class=\"sub\">Worst, and each dtype: the largest "
          "error divided by its bound, against the f64 truth; 1 is all that is allowed. Blunt: "
          "cases whose bound is wider than one median term of the sum.</p>\n",
          out);
    put_scale(out);
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Ops by backend and "
          "dtype\"><table class=\"sortable\"><caption>error/bound by op, backend and dtype; a "
          "heading sorts by its column</caption>\n",
          out);
    put_columns(r, out);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        for (int s = 0; s < r->n_tested; s++)
            if (conform_report_cell(r, (ifn_op)op, s)->cases)
                put_row(r, op, s, out);
    fputs("</tbody></table></div>\n<p class=\"none\" data-empty=\"\" hidden=\"hidden\">No op is "
          "within the filter.</p></section>\n",
          out);
}
