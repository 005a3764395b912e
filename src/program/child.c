#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

static void end_with(pid_t parent)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
#endif
    if (getppid() != parent)
        _exit(0); /* the parent ended before PR_SET_PDEATHSIG was set */
}

pid_t child_fork(void)
{
    const pid_t parent = getpid();
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL);
    const pid_t pid = fork();
    if (pid == 0)
        end_with(parent);
    return pid;
}

/* Closes descriptors below 1024, on a system that does not list the open ones. */
static void close_first(int kept)
{
    enum { FIRST = 1024 };
    for (int fd = STDERR_FILENO + 1; fd < FIRST; fd++)
        if (fd != kept)
            close(fd);
}

void child_close_files(int kept)
{
    DIR *const dir = opendir("/proc/self/fd");
    if (!dir) {
        close_first(kept);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const int fd = (int)strtol(entry->d_name, NULL, 10);
        if (fd > STDERR_FILENO && fd != kept && fd != dirfd(dir))
            close(fd);
    }
    closedir(dir);
}

static bool has_ended(pid_t pid, int flags, int *status)
{
    pid_t ended;
    do
        ended = waitpid(pid, status, flags);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        *status = CHILD_LOST;
    return ended != 0;
}

int child_wait(pid_t pid)
{
    int status;
    (void)has_ended(pid, 0, &status);
    return status;
}

bool child_has_ended(pid_t pid, int *status)
{
    return has_ended(pid, WNOHANG, status);
}
