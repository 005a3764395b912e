/* Runs one of the built programs and keeps what it said. */
#ifndef IFN_TEST_PROGRAM_H
#define IFN_TEST_PROGRAM_H

#include <stddef.h>
#include <sys/types.h>

#include "json.h"

typedef struct program {
    int status;      /* exit status; 128 + signal if one ended it */
    char *out, *err; /* terminated; bytes may hold NUL */
    size_t out_bytes, err_bytes;
} program;

/* Where the built program of this name is. Static. */
const char *program_path(const char *name);

/**
 * Runs argv, NULL at its end: argv[0] "inferno" or "model-generate" stands for the built program.
 * The lists end with NULL through the macro below. Standard input is empty.
 */
program program_run_list(const char *const *argv);
/* The same, with standard input from a file and standard output into one (NULL: as above). */
program program_run_files(const char *const *argv, const char *in, const char *out);
void program_free(program *self);

/* The same without waiting: files for the three streams, all of them named. program_wait gives what
 * program.status is. */
pid_t program_start(const char *const *argv, const char *in, const char *out, const char *err);
int program_wait(pid_t pid);

#define program_run(...) program_run_list((const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the program exits with `status`, prints nothing to standard output and one
 * line to standard error, which begins with "<argv[0]>: " and holds `text`. */
void expect_refusal(int status, const char *text, const char *const *argv);
#define assert_refused(status, text, ...)                                                          \
    expect_refusal(status, text, (const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the program exits with 0 and says nothing to standard error. The caller
 * frees the result. */
program expect_success(const char *const *argv);
#define assert_runs(...) expect_success((const char *const[]){__VA_ARGS__, NULL})

/* The same for a command with --json: parses what it printed. */
json *expect_json(const char *const *argv);
#define assert_json(...) expect_json((const char *const[]){__VA_ARGS__, NULL})

/* A small model with a tokenizer, made once by `inferno synth`: architecture llama (adds BOS) or
 * qwen3, embedding 64, context 512, 300 tokens. Static. */
const char *small_model(const char *arch);

#endif
