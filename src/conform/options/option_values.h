/* The options of a command line, and functions that parse the values that are more than a word or a number. */
#ifndef CONFORM_OPTION_VALUES_H
#define CONFORM_OPTION_VALUES_H

#include <stdbool.h>

#include "plan_cases.h"
#include "subcommand_words.h"
#include "worker.h"

enum { PATIENCE_USUAL = 10 }; /* default of --patience, seconds */

/* --repeat until: repeats until a case fails, or for REPEAT_SECONDS. */
enum { REPEAT_UNTIL = -1, REPEAT_SECONDS = 60 };

enum { OPTIONS_MAX_SHAPE = CONFORM_MAX_DIMS, OPTIONS_MAX_MODELS = 16 };

typedef struct conform_options {
    conform_subcommand command;
    int n_words; /* positional arguments: files, a directory, a case; borrowed from argv */
    char **words;
    int argc; /* the original command line from "conform" on; set by the caller of the parser */
    char **argv;
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
    const char *id;     /* --case: the id of a case, or a file of cases */
    const char *values; /* inputs of that case; NULL: those that the id determines */
    int64_t n_jobs;     /* processes that run at a time; 0: one per processor */
    int64_t repeat;     /* --repeat: runs of each case; REPEAT_UNTIL; 0: not given */
    bool in_process, tap, github, help, version, quiet, fail_fast, all;
    bool reach;        /* list every hole of the certificate */
    uint64_t given;    /* bit set of the options given: conform_option_bit */
    char filters[256]; /* the given options that select cases, as text; empty: none */
    double patience;
    double seconds; /* --for; 0: one round */
    const char *json, *junit, *html, *baseline, *resume, *shrunk;
    /* of the museum: the plugin, "" if none was named; the only fault to run, or NULL */
    const char *museum, *fault;
    bool lone_killers, every_killer;
    /* of whole models */
    int n_models;
    const char *models[OPTIONS_MAX_MODELS]; /* paths, or "shipped" */
    int64_t n_runs;                         /* 0: what the profile says */
    bool company, explain;
    /* of export */
    int products; /* IFN_ROUND_* */
    bool ftz;
    /* of debug */
    const char *dir;
    bool gdb;
} conform_options;

/* Parse the value of an option. Errors name the option, what was found and what was expected. */
typedef ifn_status conform_set_fn(void *options, const char *text, ifn_error *err);

extern conform_set_fn conform_set_backend, conform_set_op, conform_set_dtype, conform_set_shape,
    conform_set_format, conform_set_seed, conform_set_shard, conform_set_repeat,
    conform_set_patience, conform_set_for, conform_set_model;

#endif
