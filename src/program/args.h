/* Command lines: one table per command, from which both the parser and the usage text work. */
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
    ARG_OPTIONAL_CHOICE, /* the same; the word may be missing, then it is the first */
    ARG_STRING,          /* const char *, borrowed from argv */
    ARG_OPTIONAL_STRING, /* the same; "" where no word follows, or an option */
    ARG_ATTACHED_STRING, /* the same; "" where none is attached: --name=value */
    ARG_LIST,            /* arg_list: may be given several times */
    ARG_CALL,            /* whatever `set` makes of it */
    ARG_REFUSED          /* what other programs have and this one has not; help says why */
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
    const char *value; /* what the usage text calls the value: "N" */
    const char *help;
    size_t at; /* offsetof the member in the values of the command */
    int64_t int_range[2];
    double float_range[2];
    const char *const *choices; /* ends with NULL */
    ifn_status (*set)(void *values, const char *text, ifn_error *err);
    uint32_t commands; /* that have it, as bits, where several share a table; 0: all of them */
} arg_option;

typedef struct arg_command {
    const char *program;     /* "inferno" */
    const char *name;        /* "generate"; NULL where the program is the command */
    const char *positionals; /* as the usage line shows them: "[MODEL]"; NULL: none */
    int min_positionals, max_positionals;
    const char *brief; /* for the list of commands */
    const char *summary;
    const char *examples;     /* command lines, one on a line; a test runs them */
    const char *const *words; /* the first positional is one of them, or may be; NULL: none */
    const arg_option *options;
    size_t n_options;
    uint32_t bits; /* of `commands`: which options its help lists; 0: all of them */
    /* Hears of each option that was read, with its value or NULL; NULL: nobody does. */
    void (*heard)(void *values, const arg_option *option, const char *value);
    /* Takes `--name value` that is in no option table; NULL: there is no such thing. */
    ifn_status (*other)(void *values, const char *name, const char *value, ifn_error *err);
} arg_command;

enum { ARGS_ANY_NUMBER = 1 << 20 };

/* What every command with a result has. */
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

/* What the help, the man page and the completions of the command are made from. */
manual args_manual(const arg_command *command);

void args_usage(const arg_command *command, FILE *out);

/* args_parse, with help, version and errors dealt with: -1 to go on, else the exit status. */
int args_begin(const arg_command *command, int argc, char **argv, void *values, int *n_positionals);

/* A whole decimal number in [min, max]. `what` stands in the message: "--threads". */
ifn_status args_int(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
                    ifn_error *err);

#endif
