/* Writes the tables of refusals and of invariances (the relations R0 .. R10). */
#include "page.h"
#include "report_html.h"
#include "run_relations.h"

static void put_refusal(const conform_report *r, int s, int op, int i, FILE *out)
{
    const conform_kind *const k = &conform_report_cell(r, (ifn_op)op, s)->kinds[i / 2][i % 2];
    fprintf(out, "<tr%s><th scope=\"row\">%s</th>", k->undeclared ? " class=\"bad\"" : "",
            ifn_op_name((ifn_op)op));
    page_put("<td class=\"l\"><code>", r->label[s], "</code></td><td class=\"l\">", out);
    fprintf(out, "%s %s</td><td>%lld</td><td%s>%lld</td></tr>\n", i % 2 ? "prepared" : "raw",
            ifn_dtype_name((ifn_dtype)(i / 2)), (long long)k->refused,
            k->undeclared ? " class=\"bad\"" : "", (long long)k->undeclared);
}

static int put_refusals_of(const conform_report *r, int s, int op, FILE *out)
{
    int n = 0;
    for (int i = 0; i < 2 * IFN_DTYPE_COUNT; i++)
        if (conform_report_cell(r, (ifn_op)op, s)->kinds[i / 2][i % 2].refused) {
            n++;
            if (out)
                put_refusal(r, s, op, i, out);
        }
    return n;
}

static int all_refusals(const conform_report *r, FILE *out)
{
    int n = 0;
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += put_refusals_of(r, s, op, out);
    return n;
}

void html_refusals(const conform_report *r, FILE *out)
{
    fputs("<section id=\"refusals\"><h2>Refusals</h2>\n", out);
    if (all_refusals(r, NULL)) {
        fputs(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Refusals\"><table "
            "class=\"sortable\"><caption>legal calls that a backend does not take, and how many of "
            "them its manifest does not declare</caption><thead><tr><th scope=\"col\" "
            "class=\"l\">op</th><th scope=\"col\" class=\"l\">backend</th><th scope=\"col\" "
            "class=\"l\">dtype</th><th scope=\"col\" class=\"n\">refused</th><th scope=\"col\" "
            "class=\"n\">not declared</th></tr></thead><tbody>\n",
            out);
        (void)all_refusals(r, out);
        fputs("</tbody></table></div></section>\n", out);
    } else {
        fputs("<p class=\"none\">None.</p></section>\n", out);
    }
}

/* Writes held/tried, or one number if both are equal; in brackets if the backend does not promise equal bits. */
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

static void put_relations_of(const conform_report *r, int s, FILE *out)
{
    page_put("<h3>", r->label[s], "</h3>\n", out);
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Invariances\"><table>"
          "<thead><tr><th scope=\"col\" class=\"l\">op</th>",
          out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        fprintf(out, "<th scope=\"col\"><abbr title=\"%s\">R%d</abbr></th>",
                conform_relation_words(i), i);
    fputs("</tr></thead><tbody>\n", out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        if (!c->cases)
            continue;
        fprintf(out, "<tr id=\"inv-%s-%d\"><th scope=\"row\"><a href=\"#op-%s-%d\">%s</a></th>",
                ifn_op_name((ifn_op)op), s, ifn_op_name((ifn_op)op), s, ifn_op_name((ifn_op)op));
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            put_relation(&c->relations[i], out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

void html_relations(const conform_report *r, FILE *out)
{
    fputs("<section id=\"invariances\"><h2>Invariances</h2>\n<p class=\"sub\">How often two runs "
          "were "
          "compared bit by bit: one number where all were equal, held/tried where not, in brackets "
          "where equal bits were not promised.</p>\n<dl class=\"facts\">",
          out);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        fprintf(out, "<dt>R%d</dt><dd>%s</dd>\n", i, conform_relation_words(i));
    fputs("</dl>\n", out);
    for (int s = 0; s < r->n_tested; s++)
        put_relations_of(r, s, out);
    fputs("</section>\n", out);
}
