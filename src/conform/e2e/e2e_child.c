#include "e2e_child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "run_clock.h"
#include "zero_map.h"

static e2e_ending wait_for(pid_t child, unsigned seconds)
{
    static const struct timespec nap = {.tv_nsec = 10000000};
    e2e_ending end = {.seconds = seconds};
    run_clock clock;
    run_clock_start(&clock, child);
    while (!child_has_ended(child, &end.status)) {
        end.is_late = run_clock_is_over(&clock, (double)seconds);
        if (end.is_late) {
            kill(child, SIGKILL);
            end.status = child_wait(child);
            break;
        }
        (void)nanosleep(&nap, NULL);
    }
    return end;
}

e2e_ending e2e_child_run(bool in_process, unsigned seconds, void (*work)(void *cookie),
                         void *cookie)
{
    bool *const is_done =
        in_process ? NULL : zero_map(sizeof *is_done, PROT_READ | PROT_WRITE, MAP_SHARED);
    const pid_t child = is_done ? child_fork() : -1;
    e2e_ending end = {.seconds = seconds, .is_done = true};
    if (child == 0) {
        work(cookie);
        fflush(NULL);
        *is_done = true;
        exit(0); /* exit handlers of plugins run, as in every program */
    }
    if (child > 0) {
        end = wait_for(child, seconds);
        end.is_done = *is_done;
    } else {
        work(cookie);
    }
    if (is_done)
        munmap(is_done, sizeof *is_done);
    return end;
}

bool e2e_ending_is_fine(const e2e_ending *self)
{
    return !self->is_late && self->is_done && WIFEXITED(self->status) &&
           WEXITSTATUS(self->status) == 0;
}

const char *e2e_ending_text(const e2e_ending *self, char out[E2E_ENDING_BYTES])
{
    if (self->is_late)
        snprintf(out, E2E_ENDING_BYTES, "not done after %u s", self->seconds);
    else if (WIFSIGNALED(self->status))
        snprintf(out, E2E_ENDING_BYTES, "killed by signal %d", WTERMSIG(self->status));
    else
        snprintf(out, E2E_ENDING_BYTES, "the process ended with status %d",
                 WEXITSTATUS(self->status));
    return out;
}
