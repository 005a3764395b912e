#include "fatal.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

int is_fatal(volatile unsigned char *at, int writes)
{
    int status;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        if (writes)
            *at = 1;
        else
            (void)*at;
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status);
}
