#include "manual.h"

#include <stdbool.h>
#include <string.h>

#include "manual_text.h"

enum { COLUMN = 27, WIDTH = 79, LEFT_BYTES = 256 };

size_t manual_join(const char *const *words, const char *between, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; words[i] && used < bytes; i++) {
        const int n = snprintf(out + used, bytes - used, "%s%s", i ? between : "", words[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    return used;
}

void manual_names(const manual_option *option, char *out, size_t bytes)
{
    const bool is_short = option->name[1] != '-'; /* the short name is shown first */
    if (!option->alias)
        snprintf(out, bytes, "%s", option->name);
    else
        snprintf(out, bytes, "%s, %s", is_short ? option->name : option->alias,
                 is_short ? option->alias : option->name);
}

void manual_value(const manual_option *option, char *out, size_t bytes)
{
    char words[LEFT_BYTES] = "";
    const char *value = option->value ? option->value : words;
    if (!option->value && option->words)
        (void)manual_join(option->words, "|", words, sizeof words);
    snprintf(out, bytes,
             option->is_attached   ? "[=%s]"
             : option->is_optional ? "[%s]"
                                   : "%s",
             value);
}

const char *manual_space(const char *value)
{
    return *value && strncmp(value, "[=", 2) != 0 ? " " : "";
}

/* Writes a text wrapped at WIDTH; lines after the first are indented to COLUMN. */
static void put_wrapped(const char *text, FILE *out)
{
    size_t column = COLUMN;
    while (*text) {
        const size_t n = strcspn(text, " ");
        if (column > COLUMN && column + 1 + n > WIDTH) {
            fprintf(out, "\n%*s", COLUMN, "");
            column = COLUMN;
        }
        column += (size_t)fprintf(out, "%s%.*s", column > COLUMN ? " " : "", (int)n, text);
        text += n + strspn(text + n, " ");
    }
    fputc('\n', out);
}

static void put_option(const char *name, const char *value, const char *help, FILE *out)
{
    char left[LEFT_BYTES];
    const int n = snprintf(left, sizeof left, "  %s%s%s", name, manual_space(value), value);
    if (n + 2 <= COLUMN)
        fprintf(out, "%-*s", COLUMN, left);
    else
        fprintf(out, "%s\n%*s", left, COLUMN, "");
    put_wrapped(help, out);
}

static void put_options(const manual *self, FILE *out)
{
    char names[LEFT_BYTES], value[LEFT_BYTES];
    fputs("\noptions:\n", out);
    for (size_t i = 0; i < self->n_options; i++) {
        const manual_option option = self->option_at(self->table, i);
        manual_value(&option, value, sizeof value);
        manual_names(&option, names, sizeof names);
        put_option(names, value, option.help, out);
    }
    put_option("-h, --help", "", "this text", out);
    put_option("--version", "", "the version, and what this program was built from", out);
}

const char *manual_next_line(const char *text, size_t *n)
{
    *n = strcspn(text, "\n");
    return text[*n] ? text + *n + 1 : NULL;
}

void manual_help(const manual *self, FILE *out)
{
    size_t n;
    const char *start = "usage:";
    for (const char *line = self->forms, *next; line; line = next, start = "      ") {
        next = manual_next_line(line, &n);
        fprintf(out, "%s %s%s%s%s%s%.*s\n", start, self->program, self->name ? " " : "",
                self->name ? self->name : "", self->is_optioned ? " [options]" : "", n ? " " : "",
                (int)n, line);
    }
    fprintf(out, "\n%s\n", self->summary);
    put_options(self, out);
    fputs("\nexamples:\n", out);
    for (const char *line = self->examples, *next; line; line = next) {
        next = manual_next_line(line, &n);
        fprintf(out, "  %.*s\n", (int)n, line);
    }
}
