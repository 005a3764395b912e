/* Runs one of the built programs and keeps its output. */
#ifndef IFN_TEST_PROGRAM_H
#define IFN_TEST_PROGRAM_H

#include <stddef.h>
#include <sys/types.h>

#include "json.h"

typedef struct program {
    int status;      /* exit status; 128 + signal if one ended it */
    char *out, *err; /* NUL-terminated, and may contain NUL bytes */
    size_t out_bytes, err_bytes;
} program;

/* Returns the path of the built program of this name, in static storage. */
const char *program_path(const char *name);

/**
 * Runs argv, NULL at its end: argv[0] "inferno" or "model-generate" stands for the built program.
 * The lists end with NULL through the macro below. Standard input is empty.
 */
program program_run_list(const char *const *argv);
/* The same, with standard input from a file and standard output into one (NULL: as above). */
program program_run_files(const char *const *argv, const char *in, const char *out);
void program_free(program *self);

/* Starts the same without waiting; all three streams need files. program_wait returns what program.status would be. */
pid_t program_start(const char *const *argv, const char *in, const char *out, const char *err);
int program_wait(pid_t pid);

#define program_run(...) program_run_list((const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the program exits with `status`, prints nothing to standard output and one line to standard
 * error that begins with "<argv[0]>: " and contains `text`. */
void expect_refusal(int status, const char *text, const char *const *argv);
#define assert_refused(status, text, ...)                                                          \
    expect_refusal(status, text, (const char *const[]){__VA_ARGS__, NULL})

/* Fails the test unless the program exits with 0 and prints nothing to standard error. The caller frees the result. */
program expect_success(const char *const *argv);
#define assert_runs(...) expect_success((const char *const[]){__VA_ARGS__, NULL})

/* The same for a command with --json; returns what it printed, parsed. */
json *expect_json(const char *const *argv);
#define assert_json(...) expect_json((const char *const[]){__VA_ARGS__, NULL})

/* Returns the path, in static storage, of a small model with a tokenizer, which `inferno synth` makes once:
 * architecture llama (adds BOS) or qwen3, embedding 64, context 512, 300 tokens. */
const char *small_model(const char *arch);

#endif
