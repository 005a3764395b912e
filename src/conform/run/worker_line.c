#include "worker_line.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

int conform_line_open(conform_line *line)
{
    atomic_store(&line->said, WORKER_SILENT);
    if (sem_init(&line->to_worker, 1, 0) != 0)
        return 0;
    if (sem_init(&line->to_parent, 1, 0) == 0)
        return 1;
    sem_destroy(&line->to_worker);
    return 0;
}

void conform_line_close(conform_line *line)
{
    sem_destroy(&line->to_worker);
    sem_destroy(&line->to_parent);
}

/* Waits for a semaphore; returns 1 if it was posted in time. */
static int wait_for(sem_t *semaphore, double seconds)
{
    enum { NS = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const int64_t ns = until.tv_nsec + (int64_t)(seconds * NS);
    until.tv_sec += (time_t)(ns / NS);
    until.tv_nsec = (long)(ns % NS);
    while (sem_timedwait(semaphore, &until) != 0)
        if (errno != EINTR)
            return 0;
    return 1;
}

void conform_line_command(conform_line *line, conform_command what)
{
    line->command = what;
    sem_post(&line->to_worker);
}

conform_command conform_line_listen(conform_line *line, pid_t parent)
{
    static const conform_command leave = {.batch = -1};
    while (!wait_for(&line->to_worker, 1))
        if (getppid() != parent)
            return leave;
    return line->command;
}

void conform_line_say(conform_line *line, int what)
{
    atomic_store(&line->said, what);
    sem_post(&line->to_parent);
}

int conform_line_hear(conform_line *line, double seconds)
{
    return wait_for(&line->to_parent, seconds) ? atomic_exchange(&line->said, WORKER_SILENT)
                                               : WORKER_SILENT;
}
