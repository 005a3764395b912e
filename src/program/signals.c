#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "supervisor.h"

enum { PATH_BYTES = 4096 + 64, LINE_BYTES = 400 };

/* The state that handlers read. A text is complete before the flag or length that announces it is set. */
static struct {
    char temporary[PATH_BYTES];
    volatile sig_atomic_t has_temporary, has_bar, has_map, is_interrupted;
    const char *program; /* NULL: signals_init was not called */
    sigset_t caught;     /* the signals that are not ignored */
    int n_holds;         /* calls of signals_hold not released yet */
    pid_t process; /* the process that called signals_init; forked ones leave bar and map alone */
    pid_t writer;  /* the process that writes the temporary file, and removes it */
    const char *map;
    uint64_t map_bytes;
    char line[LINE_BYTES];
    size_t line_bytes;
} left;

static void tell(const char *text, size_t bytes)
{
    if (write(STDERR_FILENO, text, bytes) < 0)
        return; /* a failure cannot be told to anyone */
}

static bool is_forked(void)
{
    return left.process != getpid();
}

static void tidy(void)
{
    if (left.has_bar && !is_forked())
        tell(SIGNALS_ERASE, strlen(SIGNALS_ERASE));
    if (left.has_temporary && left.writer == getpid() && unlink(left.temporary) != 0)
        rmdir(left.temporary);
}

/* Raises the signal once more, with its default action, for when this handler has returned. */
static void go_on(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void end(int number)
{
    tidy();
    go_on(number);
}

static void end_of_file(int number, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)info->si_addr, begin = (uintptr_t)left.map;
    (void)context;
    if (is_forked() || !left.has_map || at < begin || at - begin >= left.map_bytes) {
        go_on(number);
        return;
    }
    tidy();
    tell(left.line, left.line_bytes);
    supervisor_done();
    _exit(EXIT_NO);
}

/* True if standard output is a pipe without a reader. */
static bool is_output_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* The handler of SIGPIPE. The program ends if results go into the pipe without a reader, and goes on if only
 * messages do. */
static void end_of_pipe(int number)
{
    const int code = errno;
    if (is_output_closed())
        end(number);
    errno = code;
}

static const struct {
    int number;
    void (*handler)(int number);
} handled[] = {{SIGINT, end},  {SIGTERM, end}, {SIGHUP, end},         {SIGQUIT, end},
               {SIGXCPU, end}, {SIGABRT, end}, {SIGPIPE, end_of_pipe}};

enum { N_HANDLED = sizeof handled / sizeof *handled };

void signals_init(const char *program)
{
    left.program = program;
    left.process = getpid();
    sigemptyset(&left.caught);
    for (size_t i = 0; i < N_HANDLED; i++) {
        struct sigaction action = {.sa_handler = handled[i].handler}, before;
        sigemptyset(&action.sa_mask);
        if (sigaction(handled[i].number, NULL, &before) == 0 && before.sa_handler != SIG_IGN &&
            sigaction(handled[i].number, &action, NULL) == 0)
            sigaddset(&left.caught, handled[i].number);
    }
}

void signals_temporary(const char *path)
{
    left.has_temporary = 0;
    if (!path || strlen(path) >= sizeof left.temporary)
        return;
    memcpy(left.temporary, path, strlen(path) + 1);
    left.writer = getpid();
    left.has_temporary = 1;
}

void signals_hold(void)
{
    left.n_holds++;
    if (left.program)
        (void)sigprocmask(SIG_BLOCK, &left.caught, NULL);
}

void signals_release(void)
{
    left.n_holds -= left.n_holds > 0;
    if (left.program && left.n_holds == 0)
        (void)sigprocmask(SIG_UNBLOCK, &left.caught, NULL);
}

int signals_is_waiting(void)
{
    sigset_t waiting;
    if (!left.program || sigpending(&waiting) != 0)
        return 0;
    for (size_t i = 0; i < N_HANDLED; i++)
        if (handled[i].handler == end && sigismember(&waiting, handled[i].number) &&
            sigismember(&left.caught, handled[i].number))
            return 1;
    return 0;
}

static void note(int number)
{
    (void)number;
    left.is_interrupted = 1;
}

/* SA_RESTART: a write that the signal interrupts is not cut short. */
void signals_catch_interrupt(bool is_caught)
{
    struct sigaction action = {.sa_handler = is_caught ? note : end, .sa_flags = SA_RESTART};
    left.is_interrupted = 0;
    if (!left.program || !sigismember(&left.caught, SIGINT))
        return;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
}

int signals_is_interrupted(void)
{
    return left.is_interrupted;
}

void signals_hear_end(void (*hear)(int number))
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = hear, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (left.program && sigismember(&left.caught, numbers[i]))
            (void)sigaction(numbers[i], &action, NULL);
}

void signals_bar(bool is_shown)
{
    left.has_bar = is_shown;
}

/* The address of the file's first byte; NULL for a file without entries and tensors, which is never read. */
static const char *start_of(const ifn_gguf *gguf)
{
    const ifn_gguf_kv *entry = ifn_gguf_kv_at(gguf, 0);
    const ifn_gguf_tensor *tensor = ifn_gguf_tensor_at(gguf, 0);
    if (entry)
        return (const char *)entry->data - entry->offset;
    return tensor ? (const char *)tensor->view.data - tensor->offset : NULL;
}

void signals_mapped(const ifn_gguf *gguf)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    left.has_map = 0;
    if (!left.program || !gguf || !start_of(gguf))
        return;
    left.map = start_of(gguf);
    left.map_bytes = ifn_gguf_file_bytes(gguf);
    const int n =
        snprintf(left.line, sizeof left.line, "%.40s: %.300s: became shorter while it was read\n",
                 left.program, ifn_gguf_path(gguf));
    left.line_bytes = n > 0 && (size_t)n < sizeof left.line ? (size_t)n : 0;
    left.has_map = 1;
    action.sa_sigaction = end_of_file;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
}

/* Reads the last byte of the map: if the file was truncated, that page is gone too, and the SIGBUS handler runs. */
void signals_look_at_map(void)
{
    const volatile char *const map = left.map;
    if (left.has_map && left.map_bytes > 0)
        (void)map[left.map_bytes - 1];
}
