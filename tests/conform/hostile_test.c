/*
 * Plugins that compute as they should and are a nuisance beside that (plugins/hostile.c): what
 * conform says of each. None may keep it waiting, spoil what it writes, or pass for honest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "command.h"
#include "paths.h"
#include "patience.h"
#include "test.h"

typedef struct row {
    const char *wish;
    int status;         /* of conform */
    const char *saying; /* in its report; NULL: nothing in particular */
} row;

/* Deaths and other ends of a process. */
static const row ends[] = {
    {"op.exit", 1, "the process ended with status 0"},
    {"op.exit3", 1, "the process ended with status 3"},
    {"op.quick-exit", 1, "the process ended with status 0"},
    {"op.abort", 1, "SIGABRT"},
    {"op.segv", 1, "SIGSEGV"},
    {"op.fpe", 1, "SIGFPE"},
    {"op.term", 1, "SIGTERM"},
    {"op.kill", 1, "SIGKILL"},
    {"op.overflow", 1, "SIGSEGV"},
    {"op.exec", 1, "the process ended with status 0"},
    {"op.stop", 1, "no return within"},
    {"op.spin", 1, "no return within"},
    {"op.thread-exit", 1, "the process ended with status 0"},
    {"prepare.exit", 1, "weights prepared: the process ended with status 0"},
    {"release.abort", 1, "weights prepared: SIGABRT"},
    {"close.exit3", 1, "its process ended with status 3, expected 0"},
    {"close.segv", 1, "its process ended by SIGSEGV"},
    {"close.stop", 1, "its process did not end within"},
};

/* What is printed, closed and written to. */
static const row descriptors[] = {
    {"op.print", 1, "bytes to standard output or error, expected none: \"hello"},
    {"op.print-error", 1, "expected none: \"something is odd"},
    {"op.forge", 1, "expected none: \"ok 1 - everything is conformant\\x0a{\"conformant\""},
    {"op.flood", 1, "expected none: \"the same line again and again"},
    {"prepare.print", 1, "expected none: \"hello"},
    {"release.print", 1, "expected none: \"hello"},
    {"open.print", 0, NULL},
    {"fill.print-error", 0, NULL},
    {"close.flood", 0, NULL},
    {"open.write-all", 0, NULL},
    {"op.write-all", 0, NULL},
};

/* What it does to its process. */
static const row manners[] = {
    {"op.chdir", 1, "process: has changed the working directory"},
    {"op.umask", 1, "process: has changed the mask of file modes"},
    {"op.locale", 1, "process: has changed the locale"},
    {"op.setenv", 1, "process: has changed the environment"},
    {"op.block", 1, "process: has changed the mask of blocked signals"},
    {"op.ignore", 1, "process: has changed what is done when a signal comes"},
    {"op.swallow", 1, "process: has changed what is done when a signal comes"},
    {"op.alarm", 1, "process: has changed an alarm or interval timer"},
    {"op.timer", 1, "process: has changed an alarm or interval timer"},
    {"op.limit", 1, "process: has changed a resource limit"},
    {"op.fork", 1, "process: has changed the processes it has started"},
    {"op.twins", 1, "process: has changed the processes it has started"},
    {"op.close-all", 1, "process: has changed standard input, output or error"},
    {"op.close-more", 1, "process: has changed standard input, output or error"},
    {"op.open-file", 1, "process: the same call again leaves an open descriptor behind"},
    {"op.thread", 1, "process: the same call again leaves a thread behind"},
    {"op.leak", 1, "process: the same call again leaves allocated memory behind"},
    {"op.map", 1, "process: the same call again leaves mapped memory behind"},
    {"op.ask", 1, "process: the same call again leaves a request to the allocator behind"},
    {"prepare.leak", 1, "process: prepare and release leaves allocated memory behind"},
    {"prepare.open-file", 1, "process: prepare and release leaves an open descriptor behind"},
    {"release.leak", 1, "process: prepare and release leaves allocated memory behind"},
    {"release.chdir", 1, "process: has changed the working directory"},
    {"open.chdir", 2, NULL},
    {"open.umask", 2, NULL},
    {"open.locale", 2, NULL},
    {"open.block", 2, NULL},
    {"open.alarm", 2, NULL},
    {"open.close-all", 2, NULL},
    {"fill.locale", 2, NULL},
    {"fill.exit", 2, NULL},
    {"open.exit3", 2, NULL},
    {"open.segv", 2, NULL},
    {"open.stop", 2, NULL},
};

/* What is no fault: nor is it one beside others. */
static const row honest[] = {
    {"op.nothing", 0, NULL},     {"op.join", 0, NULL},     {"op.malloc", 0, NULL},
    {"op.once", 0, NULL},        {"op.child", 0, NULL},    {"open.thread", 0, NULL},
    {"open.ignore", 0, NULL},    {"open.setenv", 0, NULL}, {"open.limit", 0, NULL},
    {"open.open-file", 0, NULL}, {"close.leak", 0, NULL},  {"prepare.once", 0, NULL},
};

static int run(const char *wish, char **out)
{
    char backend[512], patience[16];
    snprintf(backend, sizeof backend, HOSTILE_PLUGIN "=%s", wish);
    snprintf(patience, sizeof patience, "%.0f", patience_times(1));
    return COMMAND(out, "--backend", backend, "--op",
                   strncmp(wish, "prepare", 7) == 0 || strncmp(wish, "release", 7) == 0
                       ? "linear"
                       : "rms_norm",
                   "--cases", "24", "--fail-fast", "--quiet", "--patience", patience);
}

/* What is said, and soon enough: after a few calls that do not return no more is waited for. */
static void expect(const row *r)
{
    const uint64_t start = ifn_clock_ns();
    char *out;
    const int status = run(r->wish, &out);
    const double seconds = (double)(ifn_clock_ns() - start) * 1e-9;
    assert_that(status == r->status, "%s: status %d, expected %d\n%s", r->wish, status, r->status,
                out);
    assert_that(!r->saying || strstr(out, r->saying), "%s: '%s' is missing in\n%s", r->wish,
                r->saying, out);
    assert_that(!strchr(out, 033) && !strstr(out, "\nok 1"), "%s: it reached the report\n%s",
                r->wish, out);
    assert_that(seconds < patience_times(30), "%s: %.0f s", r->wish, seconds);
    printf("%-20s %d %4.1f s\n", r->wish, status, seconds);
    free(out);
}

static void expect_all(const row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect(&rows[i]);
}

static void every_end_is_charged_to_its_case(void **state)
{
    (void)state;
    expect_all(ends, N_OF(ends));
}

static void descriptors_lead_nowhere(void **state)
{
    (void)state;
    expect_all(descriptors, N_OF(descriptors));
}

static void a_process_stays_as_it_was(void **state)
{
    (void)state;
    expect_all(manners, N_OF(manners));
}

static void what_is_allowed_is_no_fault(void **state)
{
    (void)state;
    expect_all(honest, N_OF(honest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_end_is_charged_to_its_case),
        RUN(descriptors_lead_nowhere),
        RUN(a_process_stays_as_it_was),
        RUN(what_is_allowed_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
