/*
 * What can be said to a command, as data. The text of --help, man pages and the completions of
 * shells are made from it, so none of them can tell of an option that is not there.
 */
#ifndef IFN_PROGRAM_MANUAL_H
#define IFN_PROGRAM_MANUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct manual_option {
    const char *name;  /* as typed: "--threads", "-n" */
    const char *alias; /* another name of it: "-t"; NULL: none */
    const char *value; /* what its value is called: "N"; NULL: it takes none, or a word */
    const char *help;
    const char *const *words; /* the values there are, NULL at their end; NULL: any */
    bool is_optional;         /* the value may be missing */
    bool is_attached; /* it may be, too, and is part of the word if it is not: --name=value */
} manual_option;

typedef struct manual {
    const char *program; /* "inferno" */
    const char *name;    /* "conform merge"; NULL: the program is the command */
    const char *brief;   /* what it does, for a list of commands */
    const char *forms;   /* what may follow, a line for each way: "[MODEL]" */
    bool is_optioned;    /* "[options]" stands before each of them */
    const char *summary;
    const char *examples;     /* command lines, one on a line; a test runs them */
    const char *const *words; /* that may stand first: "new"; NULL at their end; NULL: none */
    const void *table;        /* of its options, for option_at */
    size_t n_options;
    manual_option (*option_at)(const void *table, size_t i);
} manual;

/* The text of --help. */
void manual_help(const manual *self, FILE *out);

/* A page for man, in section 1. `commands` are listed in it: those of a program. */
void manual_page(const manual *self, const manual *commands, size_t n, FILE *out);

/* Scripts with which a shell completes the words of `program`. */
typedef struct manual_program {
    const char *program;
    const manual *commands; /* names of one word are completed */
    size_t n;
    /* Words that an option may take although its table names none, by its name; NULL: none. */
    const char *const *(*words_of)(const char *option);
} manual_program;

void manual_bash(const manual_program *self, FILE *out);
void manual_zsh(const manual_program *self, FILE *out);
void manual_fish(const manual_program *self, FILE *out);

#endif
