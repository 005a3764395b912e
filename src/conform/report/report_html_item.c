/* Words and attributes of a cell that all sections of the page share. */
#include "escape.h"
#include "report_html.h"

int html_op_ran(const conform_report *r, int op)
{
    for (int s = 0; s < r->n_tested; s++)
        if (conform_report_cell(r, (ifn_op)op, s)->cases)
            return 1;
    return 0;
}

const char *html_verdict(const conform_cell *c)
{
    if (c->failed)
        return "failed";
    if (c->refused)
        return "refused";
    return c->blunt && !c->sharp ? "blunt" : "passed";
}

void html_put_item(const conform_report *r, ifn_op op, int s, const char *verdict, FILE *out)
{
    fprintf(out, " data-op=\"%s\" data-backend=\"", ifn_op_name(op));
    escape_markup(r->label[s], out);
    fprintf(out, "\" data-verdict=\"%s\"", verdict);
}
