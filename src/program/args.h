/* Command lines: each command has one table of options, used by the parser and for the usage text. */
#ifndef IFN_PROGRAM_ARGS_H
#define IFN_PROGRAM_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/status.h>

#include "manual.h"

typedef enum arg_kind {
    ARG_FLAG,            /* bool: becomes true */
    ARG_INT,             /* int64_t in int_range */
    ARG_FLOAT,           /* double in float_range */
    ARG_CHOICE,          /* int: index of the word in choices */
    ARG_OPTIONAL_CHOICE, /* the same; if the word is missing, the first choice */
    ARG_STRING,          /* const char *, borrowed from argv */
    ARG_OPTIONAL_STRING, /* the same; "" if no word or an option follows */
    ARG_ATTACHED_STRING, /* the same, as --name=value only; "" if none is attached */
    ARG_LIST,            /* arg_list: may be given several times */
    ARG_CALL,            /* `set` parses and stores the value */
    ARG_REFUSED          /* an option of other programs that this one lacks; help says why */
} arg_kind;

enum { ARG_LIST_MOST = 8 };

typedef struct arg_list {
    const char *items[ARG_LIST_MOST]; /* borrowed from argv */
    int n;
} arg_list;

typedef struct arg_option {
    const char *name;  /* as typed: "--threads", "-n" */
    const char *alias; /* another name for it: "-t"; NULL: none */
    arg_kind kind;
    const char *value; /* the name of the value in the usage text: "N" */
    const char *help;
    size_t at; /* offset of the member in the command's struct of values */
    int64_t int_range[2];
    double float_range[2];
    const char *const *choices; /* ends with NULL */
    ifn_status (*set)(void *values, const char *text, ifn_error *err);
    uint32_t commands; /* bits of the commands that have it, if they share a table; 0: all */
} arg_option;

typedef struct arg_command {
    const char *program;     /* "inferno" */
    const char *name;        /* "generate"; NULL if the program is the command */
    const char *positionals; /* as the usage line shows them: "[MODEL]"; NULL: none */
    int min_positionals, max_positionals;
    const char *brief; /* for the list of commands */
    const char *summary;
    const char *examples;     /* command lines, one on a line; a test runs them */
    const char *const *words; /* words that the first positional may be; NULL: none */
    const arg_option *options;
    size_t n_options;
    uint32_t bits; /* its bit in arg_option.commands: the options that help lists; 0: all */
    /* Called with each option that was read and its value or NULL; may be NULL. */
    void (*heard)(void *values, const arg_option *option, const char *value);
    /* Takes a `--name value` that is in no option table; NULL: such options are refused. */
    ifn_status (*other)(void *values, const char *name, const char *value, ifn_error *err);
} arg_command;

enum { ARGS_ANY_NUMBER = 1 << 20 };

/* Options that several commands have. */
#define ARG_JSON(type)                                                                             \
    {                                                                                              \
        .name = "--json", .kind = ARG_FLAG, .at = offsetof(type, json),                            \
        .help = "print one JSON document"                                                          \
    }
#define ARG_FORCE(type)                                                                            \
    {                                                                                              \
        .name = "--force", .kind = ARG_FLAG, .at = offsetof(type, force),                          \
        .help = "replace the output file if there is one"                                          \
    }
#define ARG_QUIET(type)                                                                            \
    {                                                                                              \
        .name = "--quiet", .kind = ARG_FLAG, .at = offsetof(type, quiet),                          \
        .help = "no progress and no notes on standard error"                                       \
    }

typedef enum args_request { ARGS_RUN, ARGS_HELP, ARGS_VERSION } args_request;

/**
 * Reads argv[1 ..]: `--option value`, `--option=value`, `-n value`, `-n5`; `--` ends the options.
 * Fills `values`, moves the positionals to argv[0 ..] and counts them.
 * Errors  IFN_ERR_ARGUMENT naming the option, what was found and what was expected
 */
ifn_status args_parse(const arg_command *command, int argc, char **argv, void *values,
                      int *n_positionals, args_request *request, ifn_error *err);

/* The data from which help, man page and shell completions of the command are made. */
manual args_manual(const arg_command *command);

void args_usage(const arg_command *command, FILE *out);

/* args_parse that also handles --help, --version and errors: returns -1 to go on, else the exit status. */
int args_begin(const arg_command *command, int argc, char **argv, void *values, int *n_positionals);

/* Reads a decimal integer in [min, max]. `what` names the option in messages: "--threads". */
ifn_status args_int(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                    ifn_error *err);

#endif
