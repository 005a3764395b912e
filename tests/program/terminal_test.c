/*
 * Standard error is a terminal: it shows progress, and an empty line at the end, whether a signal or success ends the
 * program. With NO_COLOR or --quiet nothing is shown.
 */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "patience.h"
#include "program.h"
#include "signals.h"
#include "test.h"

enum { SCREEN_BYTES = 1 << 16, PATIENCE = 60000, PATH_BYTES = 1024 };

typedef struct screen {
    int terminal;
    size_t bytes;
    char text[SCREEN_BYTES];
} screen;

static char model[PATH_BYTES], out[PATH_BYTES];

/* is_whole: standard output is the terminal, too; is_asked: so is standard input. */
static pid_t start_at(screen *s, const char *const *argv, int is_whole, int is_asked)
{
    s->bytes = 0;
    s->text[0] = '\0';
    s->terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(s->terminal >= 0 && grantpt(s->terminal) == 0 && unlockpt(s->terminal) == 0);
    const char *const name = ptsname(s->terminal);
    return program_start(argv, is_asked ? name : "/dev/null", is_whole ? name : "/dev/null", name);
}

static pid_t start_on(screen *s, const char *const *argv)
{
    return start_at(s, argv, 0, 0);
}

/* Returns 0 when no process has the terminal open for writing. */
static int read_more(screen *s)
{
    struct pollfd p = {.fd = s->terminal, .events = POLLIN};
    const int patience = (int)patience_times(PATIENCE);
    assert_true(s->bytes < SCREEN_BYTES - 1);
    assert_that(poll(&p, 1, patience) == 1, "nothing more in %d ms, and it is held open: %s",
                patience, s->text);
    const ssize_t n = read(s->terminal, s->text + s->bytes, SCREEN_BYTES - 1 - s->bytes);
    s->bytes += n > 0 ? (size_t)n : 0;
    s->text[s->bytes] = '\0';
    return n > 0;
}

static void read_rest(screen *s)
{
    while (read_more(s))
        ;
    close(s->terminal);
}

static void assert_line_is_empty(const screen *s)
{
    const size_t n = strlen(SIGNALS_ERASE);
    assert_that(s->bytes >= n && strcmp(s->text + s->bytes - n, SIGNALS_ERASE) == 0,
                "on the terminal: %s", s->text);
}

static void interrupt(const char *what, const char *const *argv)
{
    static screen s;
    const pid_t pid = start_on(&s, argv);
    while (!strstr(s.text, what) && read_more(&s))
        ;
    assert_that(strstr(s.text, what), "%s: no '%s' in: %s", argv[1], what, s.text);
    assert_int_equal(kill(pid, SIGINT), 0);
    read_rest(&s);
    assert_int_equal(program_wait(pid), 128 + SIGINT);
    assert_line_is_empty(&s);
}

#define INTERRUPT(what, ...) interrupt(what, (const char *const[]){__VA_ARGS__, NULL})

static void an_interrupted_command_leaves_an_empty_line(void **state)
{
    (void)state;
    INTERRUPT("%", "inferno", "synth", "llama", out, "--embedding_length", "4096", "--type",
              "Q4_K");
    INTERRUPT(" of 1", "inferno", "conform", "--backend", "scalar", "--op", "linear", "--cases",
              "100000");
    INTERRUPT("scalar", "inferno", "conform", "--e2e", model, "--backend", "scalar", "--runs",
              "1000000");
    INTERRUPT(" of ", "inferno", "conform", "--museum", "--cases", "100000");
}

static void run(screen *s, const char *const *argv)
{
    const pid_t pid = start_on(s, argv);
    read_rest(s);
    assert_int_equal(program_wait(pid), 0);
}

static const char *const few_cases[] = {"inferno", "conform", "--backend", "scalar", "--op",
                                        "add",     "--cases", "1",         NULL};

static void a_finished_one_does_too(void **state)
{
    static screen s;
    (void)state;
    run(&s, few_cases);
    assert_non_null(strstr(s.text, "add"));
    assert_line_is_empty(&s);
}

static void who_objects_sees_nothing(void **state)
{
    static screen s;
    (void)state;
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    run(&s, few_cases);
    assert_string_equal(s.text, "");
    run(&s, (const char *const[]){"inferno", "conform", "--e2e", model, "--backend", "scalar",
                                  "--runs", "1", NULL});
    assert_string_equal(s.text, "");
    run(&s,
        (const char *const[]){"inferno", "conform", "--museum", "--fault", "finite_mask", NULL});
    assert_string_equal(s.text, "");
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    run(&s, (const char *const[]){"inferno", "conform", "--backend", "scalar", "--op", "add",
                                  "--cases", "1", "--quiet", NULL});
    assert_string_equal(s.text, "");
}

/* Runs generate at a terminal and collects what it shows. */
static void generate_on(screen *s, const char *option)
{
    const char *const argv[] = {"inferno", "generate", "-m",           model,  "-p", "ab",
                                "-n",      "3",        "--ignore-eos", option, NULL};
    const pid_t pid = start_at(s, argv, 1, 0);
    read_rest(s);
    assert_int_equal(program_wait(pid), 0);
}

static void generate_shows_the_prompt_dim_and_the_speed(void **state)
{
    static screen s;
    (void)state;
    generate_on(&s, NULL);
    assert_that(strstr(s.text, "\x1b[2mab\x1b[0m"), "on the terminal: %s", s.text);
    assert_that(strstr(s.text, "inferno: prompt: 3 tokens in "), "on the terminal: %s", s.text);
    assert_that(strstr(s.text, " ms; 3 tokens at "), "on the terminal: %s", s.text);
    generate_on(&s, "--quiet");
    assert_null(strstr(s.text, "prompt:"));
    assert_null(strstr(s.text, "\x1b["));
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    generate_on(&s, NULL);
    assert_null(strstr(s.text, "\x1b["));
    assert_int_equal(strncmp(s.text, "ab", 2), 0);
    assert_int_equal(unsetenv("NO_COLOR"), 0);
}

static const char *const chat[] = {
    "inferno",         "generate", "-m",        model,    "--chat",
    "--ctx",           "100000",   "--backend", "scalar", "--ignore-eos",
    "--chat-template", "phi3",     NULL};

static void type(const screen *s, const char *keys)
{
    assert_int_equal(write(s->terminal, keys, strlen(keys)), strlen(keys));
}

/* Returns the place of `what` on the screen after the first `from` bytes, of which any may be NUL; NULL if it is not
 * there. */
static const char *find(const screen *s, size_t from, const char *what)
{
    const size_t n = strlen(what);
    for (; from + n <= s->bytes; from++)
        if (memcmp(s->text + from, what, n) == 0)
            return s->text + from;
    return NULL;
}

/* Reads until `what` is there; returns where it ends. */
static size_t read_until(screen *s, size_t from, const char *what)
{
    const char *at;
    while (!(at = find(s, from, what)) && read_more(s))
        ;
    assert_that(at, "no '%s' on the terminal", what);
    return (size_t)(at - s->text) + strlen(what);
}

/* Asks for an endless answer and interrupts it. */
static size_t interrupt_an_answer(screen *s, pid_t pid, size_t from, const char *message)
{
    type(s, message);
    type(s, "\n");
    from = read_until(s, from, message) + strlen("\r\n"); /* the echo */
    while (s->bytes < from + 10 && read_more(s))
        ;
    assert_int_equal(kill(pid, SIGINT), 0);
    return read_until(s, from, " per second\r\n> ");
}

static void an_interrupt_stops_an_answer_and_the_chat_goes_on(void **state)
{
    static screen s;
    (void)state;
    const pid_t pid = start_at(&s, chat, 1, 1);
    const size_t begin = read_until(&s, 0, "> "), at = interrupt_an_answer(&s, pid, begin, "one");
    assert_non_null(find(&s, 0, "inferno: prompt: 29 tokens in ")); /* <|begin|> is one */
    interrupt_an_answer(&s, pid, at, "three");
    /* the mark that ended the answer, the turn, and the last chosen id */
    assert_non_null(find(&s, 0, "inferno: prompt: 33 tokens in "));
    type(&s, "\x04");
    read_rest(&s);
    assert_int_equal(program_wait(pid), 0);
}

static void an_interrupt_at_the_prompt_ends_the_chat(void **state)
{
    static screen s;
    (void)state;
    const pid_t pid = start_at(&s, chat, 1, 1);
    read_until(&s, 0, "> ");
    assert_int_equal(kill(pid, SIGINT), 0);
    read_rest(&s);
    assert_int_equal(program_wait(pid), 128 + SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_interrupted_command_leaves_an_empty_line),
        RUN(a_finished_one_does_too),
        RUN(who_objects_sees_nothing),
        RUN(generate_shows_the_prompt_dim_and_the_speed),
        RUN(an_interrupt_stops_an_answer_and_the_chat_goes_on),
        RUN(an_interrupt_at_the_prompt_ends_the_chat),
    };
    snprintf(model, sizeof model, "%s", small_model("llama"));
    snprintf(out, sizeof out, "%s", temp_path("out.gguf"));
    unsetenv("NO_COLOR");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
