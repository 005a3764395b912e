#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

extern char **environ;

enum { MAX_WORDS = 80 };

const char *program_path(const char *name)
{
    return strcmp(name, "inferno") == 0 ? INFERNO_PROGRAM : MODEL_GENERATE_PROGRAM;
}

/* Gives sanitizers an exit status that no program of the project has. */
static void mark_sanitizers(void)
{
    setenv("ASAN_OPTIONS", "exitcode=99", 0);
    setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1", 0);
    setenv("TSAN_OPTIONS", "exitcode=99", 0);
}

static size_t add_word(char **to, size_t n, const char *word, size_t length)
{
    if (n >= MAX_WORDS || !(to[n] = strndup(word, length)))
        abort();
    return n + 1;
}

#ifdef EMULATOR
/* Appends the command that runs a program: the emulator's words, if it is built for another machine, then its path. */
static size_t add_program(char **to, const char *name)
{
    size_t n = 0;
    for (const char *word = EMULATOR; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        n = add_word(to, n, word, length);
        word += length;
    }
    n = add_word(to, n, "-0", 2);
    n = add_word(to, n, name, strlen(name));
    return add_word(to, n, program_path(name), strlen(program_path(name)));
}
#else
static size_t add_program(char **to, const char *name)
{
    return add_word(to, 0, name, strlen(name));
}
#endif

pid_t program_start(const char *const *argv, const char *in, const char *out, const char *err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    char *copy[MAX_WORDS + 1];
    size_t n = add_program(copy, argv[0]);
    for (size_t i = 1; argv[i]; i++)
        n = add_word(copy, n, argv[i], strlen(argv[i]));
    copy[n] = NULL;
    pid_t pid;
    mark_sanitizers();
#ifdef EMULATOR
    const int spawned = posix_spawnp(&pid, copy[0], &actions, NULL, copy, environ);
#else
    const int spawned = posix_spawn(&pid, program_path(argv[0]), &actions, NULL, copy, environ);
#endif
    posix_spawn_file_actions_destroy(&actions);
    for (size_t i = 0; i < n; i++)
        free(copy[i]);
    assert_that(spawned == 0, "%s cannot be run", program_path(argv[0]));
    return pid;
}

int program_wait(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

program program_run_files(const char *const *argv, const char *in, const char *out)
{
    /* The paths are kept: temp_path reuses its storage, and callers hold paths across runs. */
    static char stdout_path[1024], err_path[1024];
    if (!*err_path) {
        snprintf(stdout_path, sizeof stdout_path, "%s", temp_path("stdout"));
        snprintf(err_path, sizeof err_path, "%s", temp_path("stderr"));
    }
    const char *out_path = out ? out : stdout_path;
    program p = {.status =
                     program_wait(program_start(argv, in ? in : "/dev/null", out_path, err_path))};
    p.out = out ? calloc(1, 1) : read_file(out_path, &p.out_bytes);
    p.err = read_file(err_path, &p.err_bytes);
    if (!p.out || !p.err)
        abort();
    return p;
}

program program_run_list(const char *const *argv)
{
    return program_run_files(argv, NULL, NULL);
}

void program_free(program *self)
{
    free(self->out);
    free(self->err);
    *self = (program){0};
}

void expect_refusal(int status, const char *text, const char *const *argv)
{
    char prefix[64];
    program p = program_run_list(argv);
    snprintf(prefix, sizeof prefix, "%s: ", argv[0]);
    const char *line_end = strchr(p.err, '\n');
    assert_that(p.status == status, "exit status %d, expected %d: %s", p.status, status, p.err);
    assert_that(p.out_bytes == 0, "on standard output: %s", p.out);
    assert_that(strncmp(p.err, prefix, strlen(prefix)) == 0, "no '%s' before: %s", prefix, p.err);
    assert_that(line_end && line_end[1] == '\0', "expected one line: %s", p.err);
    assert_that(strstr(p.err, text) != NULL, "expected '%s' in: %s", text, p.err);
    program_free(&p);
}

program expect_success(const char *const *argv)
{
    program p = program_run_list(argv);
    assert_that(p.status == 0, "exit status %d: %s", p.status, p.err);
    assert_that(p.err_bytes == 0, "on standard error: %s", p.err);
    return p;
}

json *expect_json(const char *const *argv)
{
    const char *end;
    program p = expect_success(argv);
    json *document = json_parse(p.out, &end);
    assert_that(*end == '\0', "more than one document: %s", end);
    program_free(&p);
    return document;
}

const char *small_model(const char *arch)
{
    enum { N_ARCHS = 3, PATH_BYTES = 1024 };
    static const char *const archs[N_ARCHS] = {"llama", "qwen2", "qwen3"};
    static char paths[N_ARCHS][PATH_BYTES];
    size_t i = 0;
    while (strcmp(archs[i], arch) != 0)
        i++;
    if (*paths[i])
        return paths[i];
    snprintf(paths[i], PATH_BYTES, "%s-small-%s", temp_path("model"), arch);
    program p = assert_runs("inferno", "synth", arch, paths[i], "--type", "F32", "--seed", "7",
                            "--embedding_length", "64", "--feed_forward_length", "96",
                            "--attention.key_length", "16", "--vocab_size", "300");
    program_free(&p);
    return paths[i];
}
