#include "e2e_results.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "run_clock.h"
#include "signals.h"

e2e_results *e2e_results_open(int tested, const char *model)
{
    /* MAP_ANONYMOUS is no POSIX; a shared mapping of /dev/zero is the same thing. */
    const int zero = open("/dev/zero", O_RDWR);
    void *const map =
        zero < 0 ? MAP_FAILED
                 : mmap(NULL, sizeof(e2e_results), PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    if (zero >= 0)
        close(zero);
    if (map == MAP_FAILED)
        return NULL;
    e2e_results *const self = map;
    self->tested = tested;
    self->at = -1;
    snprintf(self->model, sizeof self->model, "%s", model);
    return self;
}

void e2e_results_close(e2e_results *self)
{
    if (self)
        munmap(self, sizeof *self);
}

static const char *rule_of(const e2e_way *way)
{
    const int is_narrow =
        way->activations == IFN_ACTIVATIONS_Q8 || conform_cache_dtype(way->kv) != IFN_DTYPE_F32;
    return way->is_company  ? "company"
           : way->is_long   ? "long"
           : way->is_forced ? "forced"
           : is_narrow      ? "free"
                            : "exact";
}

static e2e_row row_of(const e2e_results *self, const e2e_way *way)
{
    e2e_row row = {.tested = self->tested};
    memcpy(row.model, self->model, sizeof row.model);
    snprintf(row.graph, sizeof row.graph, "%s",
             way->graph == IFN_GRAPH_PRIMITIVE ? "primitive" : "fused");
    snprintf(row.activations, sizeof row.activations, "%s",
             way->activations == IFN_ACTIVATIONS_Q8 ? "q8" : "f32");
    snprintf(row.kv, sizeof row.kv, "%s", e2e_kv_name(way->kv));
    snprintf(row.rule, sizeof row.rule, "%s", rule_of(way));
    return row;
}

static int is_same(const e2e_row *a, const e2e_row *b)
{
    return strcmp(a->graph, b->graph) == 0 && strcmp(a->activations, b->activations) == 0 &&
           strcmp(a->kv, b->kv) == 0 && strcmp(a->rule, b->rule) == 0;
}

e2e_statistics *e2e_results_row(e2e_results *self, const e2e_way *way)
{
    const e2e_row row = row_of(self, way);
    for (int i = 0; i < self->n; i++)
        if (is_same(&self->all_statistics[i].row, &row))
            return &self->all_statistics[i];
    if (self->n == E2E_MAX_ROWS)
        return NULL;
    self->all_statistics[self->n].row = row;
    return &self->all_statistics[self->n++];
}

void e2e_results_begin(e2e_results *self, e2e_statistics *statistics, const char *where)
{
    snprintf(self->where, sizeof self->where, "%s", where);
    e2e_statistics_begin(statistics);
    self->at = (int32_t)(statistics - self->all_statistics);
}

void e2e_results_end(e2e_results *self, e2e_statistics *statistics)
{
    self->at = -1;
    e2e_statistics_end(statistics, self->where);
    if (!statistics->is_failed || self->failed)
        return;
    self->failed = (int32_t)(statistics - self->all_statistics) + 1;
    self->again = self->now;
}

/* No run at hand: it died while a backend was opened or closed. */
static e2e_statistics *row_at_hand(e2e_results *self)
{
    if (self->at >= 0)
        return &self->all_statistics[self->at];
    e2e_statistics *const first =
        e2e_results_row(self, &(e2e_way){.activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32});
    e2e_results_begin(self, first ? first : &self->all_statistics[0], "between runs");
    return &self->all_statistics[self->at];
}

/* Its status; it is ended when it has had its seconds. */
static int wait_for(pid_t child, unsigned seconds, bool *is_late)
{
    static const struct timespec nap = {.tv_nsec = 10000000};
    run_clock clock;
    int status = 0;
    run_clock_start(&clock, child);
    while (!*is_late && waitpid(child, &status, WNOHANG) == 0) {
        *is_late = run_clock_is_over(&clock, (double)seconds);
        (void)nanosleep(&nap, NULL);
    }
    if (!*is_late)
        return status;
    kill(child, SIGKILL);
    return child_wait(child);
}

static void judge_end(e2e_results *self, int status, bool is_late, unsigned seconds)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    e2e_statistics *const statistics = row_at_hand(self);
    if (is_late)
        e2e_statistics_fail(statistics, E2E_DIED, "%s: not done after %u s", self->where, seconds);
    else if (WIFSIGNALED(status))
        e2e_statistics_fail(statistics, E2E_DIED, "%s: killed by signal %d", self->where,
                            WTERMSIG(status));
    else
        e2e_statistics_fail(statistics, E2E_DIED, "%s: the process ended with status %d",
                            self->where, WEXITSTATUS(status));
    e2e_results_end(self, statistics);
}

void e2e_results_guard(e2e_results *self, int in_process, unsigned seconds,
                       void (*work)(void *cookie, e2e_results *results), void *cookie)
{
    const pid_t child = in_process ? -1 : child_fork();
    if (child == 0) {
        work(cookie, self);
        fflush(NULL);
        _exit(0);
    }
    if (child < 0) { /* also where no process is to be had */
        work(cookie, self);
        return;
    }
    bool is_late = false;
    const int status = wait_for(child, seconds, &is_late);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS)
        signals_look_at_map(); /* it is no fault of the backend if the model is not there */
    judge_end(self, status, is_late, seconds);
}
