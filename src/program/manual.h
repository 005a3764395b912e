/*
 * The command line of a command, as data. The text of --help, man pages and shell completions are
 * generated from it, so none of them can mention an option that does not exist.
 */
#ifndef IFN_PROGRAM_MANUAL_H
#define IFN_PROGRAM_MANUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct manual_option {
    const char *name;  /* as typed: "--threads", "-n" */
    const char *alias; /* another name of it: "-t"; NULL: none */
    const char *value; /* the name of its value: "N"; NULL: it takes none, or one of `words` */
    const char *help;
    const char *const *words; /* the possible values, NULL at their end; NULL: any */
    bool is_optional;         /* the value may be missing */
    bool is_attached; /* the value may be missing and, if present, is attached: --name=value */
} manual_option;

typedef struct manual {
    const char *program; /* "inferno" */
    const char *name;    /* "conform merge"; NULL: the program is the command */
    const char *brief;   /* what it does, for a list of commands */
    const char *forms;   /* the positionals, a line for each usage: "[MODEL]" */
    bool is_optioned;    /* each usage line has "[options]" before them */
    const char *summary;
    const char *examples;     /* command lines, one on a line; a test runs them */
    const char *const *words; /* words that may come first: "new"; NULL at their end; NULL: none */
    const void *table;        /* of its options, for option_at */
    size_t n_options;
    manual_option (*option_at)(const void *table, size_t i);
} manual;

/* The text of --help. */
void manual_help(const manual *self, FILE *out);

/* Writes a man page for section 1, which lists the `commands` of a program. */
void manual_page(const manual *self, const manual *commands, size_t n, FILE *out);

/* The data for scripts with which a shell completes the words of `program`. */
typedef struct manual_program {
    const char *program;
    const manual *commands; /* names of one word are completed */
    size_t n;
    /* Returns words that the option of this name may take though its table lists none; may be NULL. */
    const char *const *(*words_of)(const char *option);
} manual_program;

void manual_bash(const manual_program *self, FILE *out);
void manual_zsh(const manual_program *self, FILE *out);
void manual_fish(const manual_program *self, FILE *out);

#endif
