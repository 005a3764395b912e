/* A child ends with its parent, even with one that is killed; the parent gets the child's status. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "test.h"

enum { PATIENCE = 20000 };

TEST(its_status_is_told)
{
    const pid_t leaves = child_fork();
    if (leaves == 0)
        _exit(7);
    const int left = child_wait(leaves);
    assert_true(WIFEXITED(left) && WEXITSTATUS(left) == 7);
    const pid_t dies = child_fork();
    if (dies == 0) {
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
    }
    const int died = child_wait(dies);
    assert_true(WIFSIGNALED(died) && WTERMSIG(died) == SIGTERM);
    assert_int_equal(child_wait(dies), CHILD_LOST);
    int status = 0;
    assert_true(child_has_ended(dies, &status) && status == CHILD_LOST);
    assert_false(WIFEXITED(CHILD_LOST) || WIFSIGNALED(CHILD_LOST));
}

/* Ignored signals are inherited: the process that starts the program may have ignored SIGCHLD. */
TEST(its_status_is_told_where_children_were_ignored)
{
    signal(SIGCHLD, SIG_IGN);
    int status = 0;
    const pid_t pid = child_fork();
    if (pid == 0)
        _exit(7);
    while (!child_has_ended(pid, &status))
        continue;
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

TEST(what_it_inherited_can_be_closed)
{
    const int kept = dup(STDERR_FILENO), other = dup(STDERR_FILENO);
    const pid_t pid = child_fork();
    if (pid == 0) {
        child_close_files(kept);
        _exit(close(STDERR_FILENO) == 0 && close(kept) == 0 && close(other) != 0 ? 0 : 1);
    }
    const int status = child_wait(pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(kept);
    close(other);
}

static void ignore(int number)
{
    (void)number;
}

TEST(a_signal_does_not_end_the_waiting)
{
    const struct sigaction ignored = {.sa_handler = ignore}; /* without SA_RESTART */
    struct sigaction before;
    const pid_t parent = getpid();
    assert_int_equal(sigaction(SIGUSR1, &ignored, &before), 0);
    const pid_t pid = child_fork();
    if (pid == 0) {
        for (int i = 0; i < 20; i++) {
            poll(NULL, 0, 5);
            kill(parent, SIGUSR1);
        }
        _exit(3);
    }
    const int status = child_wait(pid);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

TEST(what_is_buffered_is_written_once)
{
    FILE *const f = tmpfile();
    assert_non_null(f);
    fputs("once", f);
    const pid_t pid = child_fork();
    if (pid == 0)
        exit(0); /* not _exit: exit flushes inherited buffers */
    child_wait(pid);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    assert_int_equal(ftell(f), 4);
    fclose(f);
}

/* Becomes a process with a child that never ends and holds `end`. Both write their ids to it. */
static void be_a_parent(int end)
{
    const pid_t pid = child_fork();
    const pid_t me = getpid();
    if (pid == 0)
        signal(SIGTERM, SIG_IGN);
    if (pid < 0 || write(end, &me, sizeof me) != (ssize_t)sizeof me)
        _exit(1);
    for (;;)
        pause();
}

/* Returns 1 if the child of a process that signal `number` ends is gone soon, too. */
static int child_ends_with(int number)
{
    int ends[2];
    pid_t both[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0)
        be_a_parent(ends[1]);
    close(ends[1]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(ends[0], &both[i], sizeof *both), sizeof *both);
    assert_int_equal(kill(pid, number), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    const int is_gone = poll(&p, 1, PATIENCE) == 1;
    if (!is_gone)
        kill(both[0] == pid ? both[1] : both[0], SIGKILL);
    close(ends[0]);
    return is_gone;
}

TEST(it_ends_with_its_parent)
{
#ifndef __linux__
    skip();
#endif
    assert_true(child_ends_with(SIGTERM));
    assert_true(child_ends_with(SIGKILL));
}
