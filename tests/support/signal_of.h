/* Runs a child to see by which signal it dies. For tests that link the process layer. */
#ifndef SIGNAL_OF_H
#define SIGNAL_OF_H

#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "test.h"

/* The signal that killed the child, which handles signals as a program does; 0: it exited. */
static inline int signal_of(void (*work)(void))
{
    int status;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signals_init("test");
        work();
        _exit(1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
