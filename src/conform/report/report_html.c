/* Writes the report as one HTML page: verdict, ranks and origin here; the other sections come from report_html_*.c. */
#include "report_html.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "page.h"
#include "report_rank.h"

/* The caller frees it. */
static char *verdict_text(const conform_report *r)
{
    char *text = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&text, &bytes);
    if (memory) {
        conform_report_verdict(r, memory);
        fclose(memory);
    }
    return text ? text : strdup("");
}

static void put_labels(const conform_report *r, FILE *out)
{
    for (int s = 0; s < r->n_tested; s++)
        fprintf(out, "%s%.80s", s ? ", " : "", r->label[s]);
}

/* Opens the page with its title, the name of a browser's tab or bookmark. */
static void put_title(const conform_report *r, FILE *out)
{
    char *text = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&text, &bytes);
    if (memory) {
        fputs(conform_report_is_conformant(r) ? "conformant: " : "NOT conformant: ", memory);
        put_labels(r, memory);
        fprintf(memory, " (%s, %.10s) - inferno conform", r->profile, r->origin.date);
        fclose(memory);
    }
    page_open(text ? text : "inferno conform", out);
    free(text);
}

static void put_sum(const conform_report *r, FILE *out)
{
    int64_t cases = 0, failed = 0, refused = 0;
    for (int i = 0; i < r->n_tested * IFN_OP_COUNT; i++) {
        const conform_cell *c =
            conform_report_cell(r, (ifn_op)(i % IFN_OP_COUNT), i / IFN_OP_COUNT);
        cases += c->cases;
        failed += c->failed;
        refused += c->refused;
    }
    fprintf(out, "<p class=\"sub\">%lld cases, %lld failed, %lld refused, %d problem%s; profile ",
            (long long)cases, (long long)failed, (long long)refused, r->n_problems,
            r->n_problems == 1 ? "" : "s");
    escape_markup(r->profile, out);
    page_put(", shard ", r->shard, "", out);
    fprintf(out, "; %.1f s</p>\n", r->seconds);
}

static void put_navigation(const conform_report *r, FILE *out)
{
    static const struct {
        const char *id, *text;
    } places[] = {{"ranks", "Ranks"},
                  {"failures", "Failures"},
                  {"ops", "Ops"},
                  {"headroom", "Headroom"},
                  {"refusals", "Refusals"},
                  {"invariances", "Invariances"},
                  {"certificate", "Certificate"},
                  {"origin", "Origin"}};
    fputs("<nav class=\"top\" aria-label=\"Sections\"><ul>", out);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (r->n_tested || i == 0)
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", places[i].id, places[i].text);
    fputs("</ul></nav>\n", out);
}

static void put_head(const conform_report *r, FILE *out)
{
    char *const verdict = verdict_text(r);
    put_title(r, out);
    fprintf(out, "<header><h1>inferno conform: <span class=\"%s\">",
            conform_report_is_conformant(r) ? "good" : "bad");
    page_put("", verdict, "</span></h1>\n", out);
    put_sum(r, out);
    fputs("</header>\n", out);
    put_navigation(r, out);
    free(verdict);
}

static void put_standing(const conform_report *r, int s, FILE *out)
{
    static const char *const tints[] = {"norank", "bronze", "silver", "gold"};
    const conform_standing standing = conform_standing_of(r, s);
    char arithmetic[REPORT_ARITHMETIC_BYTES];
    fprintf(out, "<div class=\"card %s\">", tints[standing.rank]);
    page_put("<code>", r->label[s], "</code><b>", out);
    page_put("", conform_rank_name(standing.rank), "</b>", out);
    if (*conform_report_arithmetic(r, s, arithmetic))
        page_put("<p>With ", arithmetic, ".</p>", out);
    if (standing.base[0]) {
        fprintf(out, "<p>%d of %d ops of its own, the others inherited from ", standing.own,
                IFN_OP_COUNT);
        page_put("", standing.base, ".</p>", out);
    }
    if (standing.lacks[0]) {
        page_put("<p>For ", conform_rank_name((conform_rank)(standing.rank + 1)), ": ", out);
        page_put("", standing.lacks, ".</p>", out);
    }
    fputs("</div>\n", out);
}

static void put_standings(const conform_report *r, FILE *out)
{
    fputs("<section id=\"ranks\"><h2>Ranks</h2>\n<div class=\"cards\">\n", out);
    for (int s = 0; s < r->n_tested; s++)
        put_standing(r, s, out);
    fputs("</div></section>\n", out);
}

static void put_choice(const char *name, const char *any, FILE *out)
{
    fprintf(out, "<label>%s <select name=\"%s\"><option value=\"\">%s</option>", name, name, any);
}

static void put_option(const char *value, FILE *out)
{
    page_put("<option>", value, "</option>", out);
}

/* The filter form does nothing without the script, so it is hidden until the script shows it. */
static void put_tools(const conform_report *r, FILE *out)
{
    static const char *const verdicts[] = {"failed", "refused", "blunt", "passed"};
    fputs("<form class=\"tools\" role=\"search\" aria-label=\"Filter failures and ops\" "
          "hidden=\"hidden\">\n<label>text <input type=\"search\" name=\"text\" "
          "placeholder=\"Q4_K, tail, n=17\"/></label>\n",
          out);
    put_choice("op", "every op", out);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (html_op_ran(r, op))
            put_option(ifn_op_name((ifn_op)op), out);
    fputs("</select></label>\n", out);
    put_choice("backend", "every backend", out);
    for (int s = 0; s < r->n_tested; s++)
        put_option(r->label[s], out);
    fputs("</select></label>\n", out);
    put_choice("verdict", "every verdict", out);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        put_option(verdicts[i], out);
    fputs("</select></label>\n<label class=\"tick\"><input type=\"checkbox\" name=\"inherited\"/> "
          "fold inherited ops that pass</label>\n<button type=\"reset\">Show all</button> "
          "<output aria-live=\"polite\"></output></form>\n",
          out);
}

static void put_fact(const char *name, const char *value, FILE *out)
{
    if (!*value)
        return;
    page_put("<dt>", name, "</dt>", out);
    page_put("<dd>", value, "</dd>\n", out);
}

static void put_seeds(const conform_report *r, FILE *out)
{
    const unsigned long long first = r->seed;
    fprintf(out, "<dt>seeds</dt><dd>%llu", first);
    if (r->rounds_begun > 1)
        fprintf(out, " to %llu, %lld rounds", first + (unsigned long long)r->rounds_begun - 1,
                (long long)r->rounds_begun);
    fputs("</dd>\n", out);
}

static void put_binary(const conform_report *r, int s, FILE *out)
{
    const report_binary *const b = &r->binary[s];
    page_put("<dt>", r->label[s], "</dt><dd>", out);
    if (r->expression[s][0])
        page_put("resolved to <code>", r->expression[s], "</code>, ", out);
    page_put(b->file[0] ? "<code>" : "of the program", b->file, b->file[0] ? "</code>" : "", out);
    page_put(", hash <code>", b->hash[0] ? b->hash : "unknown", "</code>", out);
    page_put(b->is_device ? "; " : "", b->is_device ? ORIGIN_DEVICE : "", "</dd>\n", out);
}

/* A report of an older version may lack some of these facts. */
static void put_origin(const conform_report *r, FILE *out)
{
    const report_origin *const o = &r->origin;
    fputs("<section id=\"origin\"><h2>Origin</h2>\n", out);
    if (o->command[0])
        page_put_command(o->command, out);
    fputs("<dl class=\"facts\">\n", out);
    put_fact("date", o->date, out);
    put_fact("inferno", o->version, out);
    put_fact("commit", o->commit, out);
    put_fact("program's hash", o->program, out);
    put_fact("processor", o->cpu, out);
    put_fact("features", o->features, out);
    put_fact("system", o->os, out);
    put_fact("host", o->host, out);
    put_fact("profile", r->profile, out);
    put_fact("shard", r->shard, out);
    put_fact("filters", r->filters, out);
    put_seeds(r, out);
    put_fact("registers", r->registers_checked ? "" : "not checked: no trampoline", out);
    put_fact("vector state", r->upper_checked ? "" : "not checked: the processor does not tell",
             out);
    put_fact("memory", r->is_unguarded ? "not guarded: the system protects no pages" : "", out);
    for (int s = 0; s < r->n_tested; s++)
        put_binary(r, s, out);
    fputs("</dl></section>\n", out);
}

void conform_report_html(const conform_report *r, FILE *out)
{
    put_head(r, out);
    fputs("<main id=\"main\">\n", out);
    put_standings(r, out);
    if (r->n_tested)
        put_tools(r, out);
    html_failures(r, out);
    html_ops(r, out);
    html_headroom(r, out);
    html_refusals(r, out);
    html_relations(r, out);
    fputs("<section id=\"certificate\">\n", out);
    conform_report_reach_html(r, out);
    fputs("</section>\n", out);
    put_origin(r, out);
    fputs("</main>\n", out);
    page_close(out);
}
