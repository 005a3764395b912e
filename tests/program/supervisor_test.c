#include "supervisor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "messages.h"
#include "test.h"

static int leave_well(int argc, char **argv)
{
    (void)argv;
    supervisor_done();
    return argc;
}

static int leave_in_op(int argc, char **argv)
{
    (void)argv;
    supervisor_enter_op("add");
    exit(argc);
}

static int leave_between(int argc, char **argv)
{
    (void)argv;
    supervisor_enter_op("add");
    supervisor_leave_op();
    exit(argc);
}

static int die_loading(int argc, char **argv)
{
    (void)argv;
    supervisor_enter("while it was loaded", 1);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return argc;
}

static int die_of_itself(int argc, char **argv)
{
    (void)argv;
    supervisor_enter("while it was loaded", 1);
    supervisor_leave();
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    return argc;
}

static int hang_loading(int argc, char **argv)
{
    (void)argv;
    supervisor_enter("while it was loaded", 1);
    for (;;)
        pause();
    return argc;
}

static int die_at_last(int argc, char **argv)
{
    (void)argv;
    supervisor_done();
    signal(SIGBUS, SIG_DFL);
    raise(SIGBUS);
    return argc;
}

/* What `run` printed; `run` returns the status, or 128 + signal if a signal ended the work. */
static char said[400];

static int run(supervised_main *work, int argc)
{
    FILE *const file = tmpfile();
    assert_non_null(file);
    const pid_t pid = child_fork();
    if (pid == 0) {
        dup2(fileno(file), STDERR_FILENO);
        const int returned = supervisor_run("test", "x.so", work, argc, NULL);
        fflush(stderr);
        _exit(returned);
    }
    const int status = child_wait(pid);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(what_ends_well_returns_what_it_returned)
{
    assert_int_equal(run(leave_well, 0), 0);
    assert_int_equal(run(leave_well, 7), 7);
    assert_string_equal(said, "");
}

TEST(an_exit_is_no_success)
{
    assert_int_equal(run(leave_in_op, 0), EXIT_NO);
    assert_string_equal(said, "test: plugin 'x.so': ended the program with status 0 in add, "
                              "expected it to return\n");
    assert_int_equal(run(leave_in_op, 5), EXIT_NO);
    assert_int_equal(run(leave_between, 0), EXIT_NO);
    assert_string_equal(said, "test: plugin 'x.so': ended the program with status 0 between its "
                              "ops, expected it to return\n");
}

TEST(a_death_is_told_and_handed_on)
{
    assert_int_equal(run(die_loading, 1), 128 + SIGSEGV);
    assert_string_equal(said, "test: plugin 'x.so': ended by signal 11 (Segmentation fault) while "
                              "it was loaded\n");
    assert_int_equal(run(die_at_last, 1), 128 + SIGBUS);
    assert_non_null(strstr(said, "when everything was done\n"));
    assert_int_equal(run(die_of_itself, 1), 128 + SIGABRT);
    assert_string_equal(said, "");
}

TEST(loading_has_a_limit)
{
    setenv("INFERNO_LOAD_SECONDS", "0.3", 1);
    assert_int_equal(run(hang_loading, 1), EXIT_NO);
    assert_non_null(strstr(said, "test: plugin 'x.so': hung while it was loaded"));
    unsetenv("INFERNO_LOAD_SECONDS");
}

TEST(nobody_is_told_where_there_is_no_supervisor)
{
    supervisor_enter("while it was loaded", 1);
    supervisor_enter_op("add");
    supervisor_leave_op();
    supervisor_leave();
    supervisor_done();
}
