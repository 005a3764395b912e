/* Writes completion scripts for bash, zsh and fish. */
#include <stdbool.h>
#include <string.h>

#include "manual.h"
#include "manual_text.h"

enum { WORDS_BYTES = 4096 };

/* Writes text in single quotes; `end` is the shell's escape for a single quote inside them. */
static void put_quoted(const char *text, const char *end, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs(end, out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

static const char *const *words_of(const manual_program *self, const manual_option *option)
{
    return option->words ? option->words : self->words_of(option->name);
}

static void put_words(const char *const *words, FILE *out)
{
    char text[WORDS_BYTES];
    (void)manual_join(words, " ", text, sizeof text);
    fputs(text, out);
}

/* Writes a case branch for each option with a list of words: 'generate --kv') <start>off basic<end> */
static void put_values(const manual_program *self, const char *start, const char *end, FILE *out)
{
    for (size_t c = 0; c < self->n; c++) {
        const manual *const m = &self->commands[c];
        for (size_t i = 0; i < m->n_options; i++) {
            const manual_option option = m->option_at(m->table, i);
            const char *const *const words = words_of(self, &option);
            if (!words)
                continue;
            fprintf(out, "    '%s %s') %s", m->name, option.name, start);
            put_words(words, out);
            fprintf(out, "%s ;;\n", end);
        }
    }
}

static void put_names(const manual *m, FILE *out)
{
    fputs("-h --help --version", out);
    for (size_t i = 0; i < m->n_options; i++) {
        const manual_option option = m->option_at(m->table, i);
        fprintf(out, " %s%s%s", option.name, option.alias ? " " : "",
                option.alias ? option.alias : "");
    }
}

void manual_bash(const manual_program *self, FILE *out)
{
    fprintf(out,
            "# bash completion for %s\n_%s()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} words=\n"
            "    local command=${COMP_WORDS[1]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
            "    case \"$command $prev\" in\n",
            self->program, self->program);
    put_values(self, "words='", "'", out);
    fprintf(out,
            "    *)\n    case \"$COMP_CWORD $command\" in\n    '1 '*) words='--help --version");
    for (size_t c = 0; c < self->n; c++)
        fprintf(out, " %s", self->commands[c].name);
    fputs("' ;;\n", out);
    for (size_t c = 0; c < self->n; c++) {
        const manual *const m = &self->commands[c];
        if (m->words) {
            fprintf(out, "    '2 %s') words='", m->name);
            put_words(m->words, out);
            fputs("' ;;\n", out);
        }
    }
    fputs("    esac\n    [[ $cur != -* || $COMP_CWORD -eq 1 ]] || case $command in\n", out);
    for (size_t c = 0; c < self->n; c++) {
        fprintf(out, "    %s) words='", self->commands[c].name);
        put_names(&self->commands[c], out);
        fputs("' ;;\n", out);
    }
    fprintf(out,
            "    esac ;;\n    esac\n"
            "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
            "complete -o default -F _%s %s\n",
            self->program, self->program);
}

/* Writes 'name:what it does'. The name must not contain a colon, which would end it. */
static void put_described(const char *name, const char *what, FILE *out)
{
    char text[512];
    snprintf(text, sizeof text, "%s:%s", name, what);
    fputc(' ', out);
    put_quoted(text, "'\\''", out);
}

void manual_zsh(const manual_program *self, FILE *out)
{
    fprintf(out,
            "#compdef %s\n_%s()\n{\n    local -a items\n    local command=$words[2]\n"
            "    if (( CURRENT == 2 )); then\n        items=(",
            self->program, self->program);
    for (size_t c = 0; c < self->n; c++)
        put_described(self->commands[c].name, self->commands[c].brief, out);
    fputs(")\n        _describe command items\n        return\n    fi\n"
          "    case \"$command $words[CURRENT - 1]\" in\n",
          out);
    put_values(self, "compadd -- ", "; return", out);
    fputs("    esac\n    if [[ $PREFIX != -* ]]; then\n        case \"$CURRENT $command\" in\n",
          out);
    for (size_t c = 0; c < self->n; c++) {
        const manual *const m = &self->commands[c];
        if (m->words) {
            fprintf(out, "        '3 %s') compadd -- ", m->name);
            put_words(m->words, out);
            fputs(" ;;\n", out);
        }
    }
    fputs("        esac\n        _files\n        return\n    fi\n    case $command in\n", out);
    for (size_t c = 0; c < self->n; c++) {
        const manual *const m = &self->commands[c];
        fprintf(out, "    %s) items=(", m->name);
        for (size_t i = 0; i < m->n_options; i++) {
            const manual_option option = m->option_at(m->table, i);
            put_described(option.name, option.help, out);
        }
        put_described("--help", "this command's options and examples", out);
        fputs(") ;;\n", out);
    }
    fprintf(out,
            "    esac\n    _describe -o option items\n}\n"
            "if [ \"$funcstack[1]\" = _%s ]; then\n    _%s \"$@\"\nelse\n    compdef _%s %s\nfi\n",
            self->program, self->program, self->program, self->program);
}

static void put_fish_option(const manual_program *self, const char *command,
                            const manual_option *option, FILE *out)
{
    const char *const *const words = words_of(self, option);
    const char *const names[] = {option->name, option->alias};
    fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from %s'", self->program, command);
    for (size_t i = 0; i < 2 && names[i]; i++) {
        const bool is_long = names[i][1] == '-';
        const char *const name = names[i] + 1 + is_long;
        fprintf(out, " -%s %s", is_long ? "l" : name[1] ? "o" : "s", name);
    }
    if (words) {
        fputs(" -x -a '", out);
        put_words(words, out);
        fputc('\'', out);
    } else if (option->value && !option->is_attached) {
        fputs(" -r", out);
    }
    fputs(" -d ", out);
    put_quoted(option->help, "\\'", out);
    fputc('\n', out);
}

void manual_fish(const manual_program *self, FILE *out)
{
    fprintf(out, "# fish completion for %s\n", self->program);
    for (size_t c = 0; c < self->n; c++) {
        const manual *const m = &self->commands[c];
        fprintf(out, "complete -c %s -n __fish_use_subcommand -f -a %s -d ", self->program,
                m->name);
        put_quoted(m->brief, "\\'", out);
        fputc('\n', out);
        if (m->words) {
            fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from %s' -a '", self->program,
                    m->name);
            put_words(m->words, out);
            fputs("'\n", out);
        }
        for (size_t i = 0; i < m->n_options; i++) {
            const manual_option option = m->option_at(m->table, i);
            put_fish_option(self, m->name, &option, out);
        }
    }
}
