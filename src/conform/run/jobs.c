#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <inferno/cpu.h>

#include "child.h"

int conform_jobs_number(int64_t wanted)
{
    const int64_t n = wanted > 0 ? wanted : ifn_cpu_count();
    return (int)(n < CONFORM_MAX_JOBS ? n : CONFORM_MAX_JOBS);
}

void conform_jobs_nap(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void conform_jobs_open(conform_jobs *self, conform_pool *shared, int n)
{
    *self = (conform_jobs){n, conform_pool_take(shared, (size_t)n, sizeof(conform_job))};
}

static _Noreturn void run(conform_job *me, conform_job_fn work, void *cookie, int index)
{
    me->status = work(cookie, index, &me->error);
    _exit(0); /* processes that it has started and not ended end with it */
}

ifn_status conform_jobs_start(conform_jobs *self, conform_job_fn work, void *cookie, ifn_error *err)
{
    for (int i = 0; i < self->n; i++) {
        const pid_t pid = child_fork();
        if (pid == 0)
            run(&self->all[i], work, cookie, i);
        if (pid < 0)
            return ifn_fail(err, IFN_ERR_IO, "jobs: no process: %s", ifn_errno_reason(errno));
        self->all[i].pid = pid;
    }
    return IFN_OK;
}

static ifn_status outcome(conform_job *j, int status, ifn_error *err)
{
    j->pid = 0;
    if (WIFSIGNALED(status))
        return ifn_fail(err, IFN_ERR_IO, "jobs: one of the processes ended by signal %d",
                        WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return ifn_fail(err, IFN_ERR_IO, "jobs: one of the processes ended with status %d",
                        WEXITSTATUS(status));
    return j->status == IFN_OK ? IFN_OK : ifn_fail(err, j->status, "%s", j->error.text);
}

ifn_status conform_jobs_look(conform_jobs *self, ifn_error *err)
{
    for (int i = 0; i < self->n; i++) {
        conform_job *const j = &self->all[i];
        int status = 0;
        if (j->pid > 0 && child_has_ended(j->pid, &status))
            IFN_TRY(outcome(j, status, err));
    }
    return IFN_OK;
}

ifn_status conform_jobs_wait(conform_jobs *self, ifn_error *err)
{
    for (int i = 0; i < self->n; i++)
        if (self->all[i].pid > 0)
            IFN_TRY(outcome(&self->all[i], child_wait(self->all[i].pid), err));
    return IFN_OK;
}

int conform_jobs_are_left(const conform_jobs *self)
{
    int n = 0;
    for (int i = 0; i < self->n; i++)
        n += self->all[i].pid > 0;
    return n > 0;
}

void conform_jobs_kill(conform_jobs *self)
{
    for (int i = 0; i < self->n; i++)
        if (self->all[i].pid > 0) {
            kill(self->all[i].pid, SIGKILL);
            (void)child_wait(self->all[i].pid);
            self->all[i].pid = 0;
        }
}
