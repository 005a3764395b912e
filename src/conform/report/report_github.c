/* Writes annotations of GitHub Actions, one for each op, backend and judgement that failed. GitHub shows them next to
 * the changed lines. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report_failures.h"
#include "report_numbers.h"
#include "report_repeat.h"

/* Writes the value of a workflow command, or a property of it (is_property), with the characters escaped that end
 * one. */
static void put_escaped(const char *text, bool is_property, FILE *out)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (is_property && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned)*text);
        else
            fputc(*text, out);
}

/* Attaches the annotation to the plugin's file, or to the spec of the op if the backend is built in. */
static void put_file(const conform_report *r, const conform_failure *f, FILE *out)
{
    const char *const file = r->binary[f->tested].file;
    fputs("::error file=", out);
    if (*file)
        put_escaped(file, 1, out);
    else
        fprintf(out, "spec/ops/%s.yaml", ifn_op_name(f->op));
}

/* The caller frees it. */
static char *message_of(const conform_report *r, const conform_failure *f)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&text, &bytes);
    if (!to)
        return strdup("");
    fprintf(to, "%s\n%s\n", f->verdict.detail, conform_repeated_id(f));
    if (conform_has_numbers(&f->verdict)) {
        conform_put_numbers(&f->verdict, &conform_numbers_in_line, to);
        fputc('\n', to);
    }
    fputs("again: ", to);
    conform_put_repeat(r, f, to);
    fclose(to);
    return text;
}

static void put_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    char title[REPORT_LABEL_BYTES + 96];
    char *const message = message_of(r, f);
    snprintf(title, sizeof title, "%s on %s: %s", ifn_op_name(f->op), r->label[f->tested],
             f->check);
    put_file(r, f, out);
    fputs(",title=", out);
    put_escaped(title, 1, out);
    fputs("::", out);
    put_escaped(message, 0, out);
    fputc('\n', out);
    free(message);
}

static void put_sum(const conform_report *r, FILE *out)
{
    long long cases = 0, failed = 0;
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            cases += conform_report_cell(r, (ifn_op)op, s)->cases;
            failed += conform_report_cell(r, (ifn_op)op, s)->failed;
        }
    fprintf(out, "::notice title=inferno conform::%lld cases, %lld failed: ", cases, failed);
    conform_report_verdict(r, out);
    fputc('\n', out);
}

void conform_report_github(const conform_report *r, FILE *out)
{
    for (int64_t i = 0; i < r->n_failures; i++)
        if (r->shows_all || conform_report_is_first(r, i)) /* GitHub shows ten per step */
            put_failure(r, &r->failures[i], out);
    for (int i = 0; i < r->n_problems; i++) {
        fputs("::error title=inferno conform::", out);
        put_escaped(r->problems[i], 0, out);
        fputc('\n', out);
    }
    put_sum(r, out);
}
