/* Runs code in a child that handles signals as a program does. For tests that link src/program. */
#ifndef SIGNAL_OF_H
#define SIGNAL_OF_H

#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "test.h"

/* Runs work in a child process after signals_init. Returns the signal that killed the child; 0: it exited. */
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
