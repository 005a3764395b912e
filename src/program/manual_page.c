/* Pages for man, in the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include <inferno/version.h>

#include "manual.h"
#include "manual_text.h"

/* Writes text escaped for roff: dashes stay ASCII, and no line is taken for a request. */
static void put(const char *text, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const int starts = i == 0 || text[i - 1] == '\n';
        if (starts && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", out);
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else if (text[i] == '"')
            fputs("\\(dq", out);
        else
            fputc(text[i], out);
    }
}

static void put_text(const char *text, FILE *out)
{
    put(text, strlen(text), out);
}

/* Writes the name of the page, as given to man: "inferno-conform-merge". */
static void put_title(const manual *self, int (*change)(int), FILE *out)
{
    const char *const parts[] = {self->program, self->name ? "-" : "", self->name};
    for (size_t i = 0; i < 3 && parts[i]; i++)
        for (const char *c = parts[i]; *c; c++)
            if (*c == '-' || *c == ' ')
                fputs("\\-", out);
            else
                fputc(change ? change((unsigned char)*c) : *c, out);
}

static void put_forms(const manual *self, FILE *out)
{
    size_t n;
    fputs(".SH SYNOPSIS\n", out);
    for (const char *line = self->forms, *next; line; line = next) {
        next = manual_next_line(line, &n);
        fputs(".B ", out);
        put_text(self->program, out);
        if (self->name) {
            fputc(' ', out);
            put_text(self->name, out);
        }
        fputs(self->is_optioned ? "\n[options]\n" : "\n", out);
        put(line, n, out);
        fputs(next ? "\n.br\n" : "\n", out);
    }
}

static void put_option(const char *name, const char *value, const char *help, FILE *out)
{
    fputs(".TP\n\\fB", out);
    put_text(name, out);
    fputs("\\fR", out);
    if (*value) {
        fprintf(out, "%s\\fI", manual_space(value));
        put_text(value, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_text(help, out);
    fputc('\n', out);
}

static void put_options(const manual *self, FILE *out)
{
    char names[256], value[256];
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < self->n_options; i++) {
        const manual_option option = self->option_at(self->table, i);
        manual_value(&option, value, sizeof value);
        manual_names(&option, names, sizeof names);
        put_option(names, value, option.help, out);
    }
    put_option("-h, --help", "", "print the options and examples", out);
    put_option("--version", "", "print the version, and what the program was built from", out);
}

static void put_commands(const manual *self, const manual *commands, size_t n, FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < n; i++) {
        fputs(".TP\n.BR ", out);
        put_title(&commands[i], NULL, out);
        fputs(" (1)\n", out);
        put_text(commands[i].brief, out);
        fputc('\n', out);
    }
    fputs(".SH ENVIRONMENT\n", out);
    put_option("INFERNO_LOG", "", "holds the word trace: a line on standard error for each op",
               out);
    put_option("NO_COLOR", "", "is not empty: neither colours nor progress bars", out);
    (void)self;
}

void manual_page(const manual *self, const manual *commands, size_t n, FILE *out)
{
    fputs(".TH ", out);
    put_title(self, toupper, out);
    fprintf(out, " 1 \"\" \"inferno %s\"\n.SH NAME\n", ifn_version());
    put_title(self, NULL, out);
    fputs(" \\- ", out);
    put_text(self->brief, out);
    fputc('\n', out);
    put_forms(self, out);
    fputs(".SH DESCRIPTION\n", out);
    put_text(self->summary, out);
    fputc('\n', out);
    if (n)
        put_commands(self, commands, n, out);
    put_options(self, out);
    fputs(".SH EXIT STATUS\n", out);
    put_option("0", "", "done, or conformant", out);
    put_option("1", "", "it ran, and the answer is no: a case failed, a file is malformed", out);
    put_option("2", "", "wrong usage, or an input that cannot be opened", out);
    fputs(".SH EXAMPLES\n.nf\n", out);
    put_text(self->examples, out);
    fputs("\n.fi\n", out);
}
