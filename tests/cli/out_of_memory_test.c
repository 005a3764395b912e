/*
 * Runs every command, and model-generate, once for each request for memory that it makes, and lets that request fail:
 * the program ends with one line or does without the memory, and leaves no file behind.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "fail_malloc.h"
#include "leaks.h"
#include "messages.h"
#include "paths.h"
#include "program.h"
#include "test.h"

/* The request that fails, counted from 0; -1: none. */
static long fail_at = -1, n_requests;

static int fails(void)
{
    return __atomic_fetch_add(&n_requests, 1, __ATOMIC_RELAXED) == fail_at;
}

enum { PATH_BYTES = 1024, SAFETY = 2000, ALL_WENT_WELL = 64 };

typedef int command(int argc, char **argv);

int model_generate_main(int argc, char **argv); /* the main of model_generate.c */

static char in_path[PATH_BYTES], err_path[PATH_BYTES], out_path[PATH_BYTES];

static void send_to(const char *path, int fd)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, fd) < 0)
        _exit(99);
}

/* Makes a file the standard input, which a chat reads. */
static void read_from(const char *path)
{
    const int file = open(path, O_RDONLY);
    if (file < 0 || dup2(file, STDIN_FILENO) < 0)
        _exit(99);
}

/* Runs a command in a child process. Returns ALL_WENT_WELL if it made no n-th request. */
static int run_failing(command *run, char **words, long n)
{
    char *argv[32];
    int argc = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        read_from(in_path);
        send_to("/dev/null", STDOUT_FILENO);
        send_to(err_path, STDERR_FILENO);
        for (; words[argc]; argc++)
            argv[argc] = words[argc];
        argv[argc] = NULL;
        n_requests = 0;
        fail_at = n;
        const int status = run(argc, argv);
        fail_at = -1;
        fflush(NULL);
        if (has_leaked())
            _exit(HAS_LEAKED);
        _exit(n_requests <= n ? ALL_WENT_WELL + status : status);
    }
    return program_wait(pid);
}

/* Returns 1 unless the command runs a model and does not say what needs less memory. */
static int has_advice(command *run, const char *text)
{
    const int runs = run == cmd_generate || run == cmd_logits || run == model_generate_main;
    return !runs || strstr(text, "; less is needed with ");
}

static int is_one_line(command *run, const char *text)
{
    const char *who = run == model_generate_main ? "model-generate: " : "inferno: ";
    const char *end = strchr(text, '\n');
    return strncmp(text, who, strlen(who)) == 0 && end && end[1] == '\0';
}

/* The result is a file or a folder. */
static void clear_result(void)
{
    if (unlink(out_path) != 0)
        remove_tree(out_path);
}

/* Returns how many of the requests the command cannot do without. */
static int expect_orderly(command *run, char **words)
{
    struct stat st;
    long n = 0;
    int status, n_failed = 0;
    for (; n < SAFETY && (status = run_failing(run, words, n)) < ALL_WENT_WELL; n++) {
        char *said = read_file(err_path, NULL);
        assert_non_null(said);
        assert_that(status <= 1, "%s: request %ld: status %d: %s", words[0], n, status, said);
        assert_that(status == 0 || is_one_line(run, said), "%s: request %ld: %s", words[0], n,
                    said);
        assert_that(status == 0 || has_advice(run, said), "%s: request %ld: %s", words[0], n, said);
        assert_that(status == 0 || stat(out_path, &st) != 0, "%s: request %ld: left a file",
                    words[0], n);
        n_failed += status != 0;
        free(said);
        clear_result();
    }
    assert_that(n < SAFETY && status == ALL_WENT_WELL, "%s: request %ld: status %d, see %s",
                words[0], n, status, err_path);
    print_message("%s: %ld requests, %d of them needed\n", words[0], n, n_failed);
    clear_result();
    return n_failed;
}

#define N_NEEDED(run, ...)       expect_orderly(run, (char *[]){__VA_ARGS__, NULL})
#define EXPECT_ORDERLY(run, ...) assert_true(N_NEEDED(run, __VA_ARGS__) > 0)

static char model[PATH_BYTES];

static void reading_commands_end_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY(cmd_inspect, "inspect", model);
    EXPECT_ORDERLY(cmd_inspect, "inspect", model, "--json");
    EXPECT_ORDERLY(cmd_tokenize, "tokenize", model, "a text of words");
    EXPECT_ORDERLY(cmd_detokenize, "detokenize", model, "5", "6", "7");
    /* a backend that cannot be opened is listed with the reason */
    assert_int_equal(N_NEEDED(cmd_backends, "backends"), 0);
    assert_int_equal(N_NEEDED(cmd_backends, "backends", "--json"), 0);
}

static void running_commands_end_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY(cmd_generate, "generate", model, "-p", "a", "-n", "2", "--ctx", "8", "--backend",
                   "trace=4:scalar", "--quiet", "--trace", out_path);
    EXPECT_ORDERLY(cmd_generate, "generate", model, "--chat", "--chat-template", "phi3", "-n", "2",
                   "--ctx", "80", "--backend", "scalar");
    EXPECT_ORDERLY(cmd_logits, "logits", model, "--ids", "1,2", "--backend", "scalar", "--out",
                   out_path);
    EXPECT_ORDERLY(cmd_logits, "logits", model, "--ids", "1,2", "--all", "--backend", "scalar");
    EXPECT_ORDERLY(model_generate_main, "model-generate", model, "a", "2", "--backend", "scalar");
    EXPECT_ORDERLY(cmd_bench, "bench", model, "-p", "1", "-n", "1", "--backend", "scalar");
}

static void writing_commands_end_in_order(void **state)
{
    (void)state;
    EXPECT_ORDERLY(cmd_quantize, "quantize", model, out_path, "Q8_0", "--quiet");
    EXPECT_ORDERLY(cmd_synth, "synth", "llama", out_path, "--embedding_length", "32",
                   "--feed_forward_length", "32", "--block_count", "1", "--vocab_size", "300",
                   "--quiet");
    EXPECT_ORDERLY(cmd_backend, "backend", "new", "mine", out_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(reading_commands_end_in_order),
        RUN(running_commands_end_in_order),
        RUN(writing_commands_end_in_order),
    };
    message_init();
    fail_malloc_decides = fails;
    snprintf(model, sizeof model, "%s", small_model("llama"));
    snprintf(in_path, sizeof in_path, "%s", temp_path("messages"));
    write_file(in_path, "one\ntwo\n", 8);
    snprintf(err_path, sizeof err_path, "%s", temp_path("said"));
    snprintf(out_path, sizeof out_path, "%s", temp_path("result"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
