/* Reads a byte in a child process, to see whether it dies. */
#ifndef IFN_SIGNAL_OF_READING_H
#define IFN_SIGNAL_OF_READING_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

/* The signal that killed the child; 0: it could read the byte. */
static inline int signal_of_reading(const volatile void *address)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(SIGSEGV, SIG_DFL);
        _exit(*(const volatile char *)address > 0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
