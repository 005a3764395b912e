/* The command line of `inferno conform`. */
#ifndef CONFORM_OPTIONS_H
#define CONFORM_OPTIONS_H

#include <stdbool.h>

#include "manual.h"
#include "plan_cases.h"
#include "worker.h"

enum { PATIENCE_USUAL = 10 };

/* Until a case fails, or the seconds are over. */
enum { REPEAT_UNTIL = -1, REPEAT_SECONDS = 60 };

enum { OPTIONS_MAX_SHAPE = CONFORM_MAX_DIMS };

typedef struct conform_options {
    int n_backends;
    const char *backends[CONFORM_MAX_TESTED]; /* borrowed from argv */
    int n_ops;
    ifn_op ops[IFN_OP_COUNT];
    int n_shape;
    struct {
        char name[SPEC_NAME_BYTES];
        int64_t size;
    } shape[OPTIONS_MAX_SHAPE];
    const char *spec; /* a folder or a file; NULL: the folder that ships with the program */
    conform_filter filter;
    const char *id;     /* --case: one, or a file of them */
    const char *values; /* inputs of that one; NULL: its own */
    int64_t n_jobs;     /* processes that make cases; 0: one per processor */
    int64_t repeat;     /* runs of each case and no other; REPEAT_UNTIL; 0: not asked for */
    bool in_process, tap, github, help, version, quiet, fail_fast, all;
    bool reach;        /* every hole of the certificate is listed */
    uint64_t given;    /* which options were, in the order of --help */
    char filters[256]; /* those that leave cases out, as they were given; empty: none was */
    double patience;
    double seconds; /* --for; 0: one round */
    const char *json, *junit, *html, *baseline, *resume, *shrunk;
} conform_options;

/* Reads argv[1 ..]. Errors name the option, what was found and what was expected. */
IFN_NODISCARD ifn_status conform_options_parse(conform_options *out, int argc, char **argv,
                                               ifn_error *err);
/* The first option given that is not among `allowed` (NULL ends them); NULL: all of them are. */
const char *conform_options_beside(const conform_options *o, const char *const *allowed);

/* Whether a word is this option: "--e2e", or "--e2e=..." */
int conform_options_is(const char *word, const char *option);

/* Of `inferno conform`: what else reads options has them in it, too. */
manual conform_options_manual(void);

/* Prints what --help or --version asks for; 0: nothing was asked. */
int conform_options_tell(const conform_options *o);

#endif
