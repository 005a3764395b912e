/* Writes problems, and each failure with its numbers and the command that repeats it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "case_id.h"
#include "escape.h"
#include "fnv1a.h"
#include "page.h"
#include "report_failures.h"
#include "report_html.h"
#include "report_numbers.h"
#include "report_repeat.h"

static uint64_t mix(uint64_t hash, const char *text)
{
    return fnv1a_word(fnv1a_text(hash, text), 0xff);
}

void html_anchor(const conform_report *r, const conform_failure *f, char out[HTML_ANCHOR_BYTES])
{
    const uint64_t hash = mix(mix(mix(FNV1A_START, r->label[f->tested]), f->id), f->check);
    snprintf(out, HTML_ANCHOR_BYTES, "f-%016llx", (unsigned long long)hash);
}

static void put_problems(const conform_report *r, FILE *out)
{
    if (!r->n_problems)
        return;
    fputs("<h3>Problems</h3>\n<ul>\n", out);
    for (int i = 0; i < r->n_problems; i++)
        page_put("<li class=\"bad\">", r->problems[i], "</li>\n", out);
    fputs("</ul>\n", out);
}

static void put_float(const char *name, double x, FILE *out)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    fprintf(out, "<dt>%s</dt><dd><b>%.9g</b> <span class=\"dim\">%a, 0x%08x</span></dd>\n", name, x,
            x, (unsigned)bits);
}

static void put_numbers(const conform_verdict *v, FILE *out)
{
    const conform_result *const w = &v->worst;
    if (!conform_has_numbers(v))
        return;
    page_put("<dt>where</dt><dd><code>", v->tensor, "", out);
    fprintf(out, v->is_raw ? "</code>, byte %lld</dd>\n" : "[%lld]</code></dd>\n",
            (long long)w->worst);
    if (v->is_raw) {
        fprintf(out, "<dt>got</dt><dd><b>0x%02x</b></dd>\n<dt>want</dt><dd><b>0x%02x</b></dd>\n",
                (unsigned)w->got, (unsigned)w->want);
        return;
    }
    put_float("got", w->got, out);
    put_float("want", w->want, out);
    fprintf(out, "<dt>bound</dt><dd><b>%.3g</b></dd>\n<dt>error/bound</dt><dd><b>%.3g</b>",
            w->bound, w->ratio);
    const int64_t ulps = conform_ulp_distance((float)w->got, (float)w->want);
    if (ulps < INT64_MAX)
        fprintf(out, " <span class=\"dim\">%lld ulp</span>", (long long)ulps);
    fputs("</dd>\n", out);
}

static void put_row(const char *name, const char *text, FILE *out)
{
    if (!*text)
        return;
    page_put("<dt>", name, "</dt>", out);
    page_put("<dd>", text, "</dd>\n", out);
}

static void put_case(const char *name, const char *id, FILE *out)
{
    if (!*id)
        return;
    page_put("<dt>", name, "</dt>", out);
    page_put("<dd><code>", id, "</code></dd>\n", out);
}

static const char *dtype_of(const conform_failure *f)
{
    conform_case c = {.op = f->op};
    ifn_error ignored;
    (void)conform_case_parse(f->id, &c, &ignored);
    return ifn_dtype_name(c.dtype);
}

static void put_summary(const conform_report *r, const conform_failure *f, FILE *out)
{
    fprintf(out, "<summary><b>%s %s</b> on ", ifn_op_name(f->op), dtype_of(f));
    page_put("<code>", r->label[f->tested], "</code> ", out);
    page_put("<span class=\"chip bad\">", f->check, "</span> ", out);
    if (conform_has_numbers(&f->verdict) && !f->verdict.is_raw)
        fprintf(out, "<span class=\"num\">error/bound %.2g</span> ", f->verdict.worst.ratio);
    if (f->cases > 1)
        fprintf(out, "<span class=\"num\">stands for %lld cases</span>", (long long)f->cases);
    fputs("</summary>\n", out);
}

static void put_failure(const conform_report *r, const conform_failure *f, bool is_open, FILE *out)
{
    char anchor[HTML_ANCHOR_BYTES];
    char *const again = conform_repeat_text(r, f);
    html_anchor(r, f, anchor);
    fprintf(out, "<details class=\"fail\" id=\"%s\"%s", anchor, is_open ? " open=\"open\"" : "");
    html_put_item(r, f->op, f->tested, "failed", out);
    fputs(">", out);
    put_summary(r, f, out);
    page_put("<div><p>", f->verdict.detail, "</p><dl class=\"facts\">\n", out);
    put_numbers(&f->verdict, out);
    if (f->verdict.check != CHECK_NONE)
        put_row("judgement", conform_check_text(f->verdict.check), out);
    put_row("how often", f->nature, out);
    put_row("when", f->when, out);
    put_case("smallest", f->shrunk, out);
    put_case("found", f->id, out);
    fputs("</dl>\n", out);
    html_error_map(f, anchor, out);
    fputs("<p class=\"sub\">Again:</p>", out);
    page_put_command(again, out);
    fprintf(out, "<a href=\"#%s\">Link to this failure</a></div></details>\n", anchor);
    free(again);
}

void html_failures(const conform_report *r, FILE *out)
{
    fputs("<section id=\"failures\"><h2>Failures</h2>\n", out);
    put_problems(r, out);
    if (r->n_failures)
        fputs("<div class=\"folding\"></div>\n", out);
    for (int64_t i = 0; i < r->n_failures; i++)
        put_failure(r, &r->failures[i], conform_report_is_first(r, i), out);
    if (r->n_failures)
        fputs("<p class=\"none\" data-empty=\"\" hidden=\"hidden\">None of the failures is within "
              "the filter.</p>\n",
              out);
    else
        fputs("<p class=\"none\">No case failed.</p>\n", out);
    fputs("</section>\n", out);
}
