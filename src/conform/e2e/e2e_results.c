#include "e2e_results.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e_child.h"
#include "signals.h"
#include "zero_map.h"

e2e_results *e2e_results_open(int tested, const char *model)
{
    e2e_results *const self = zero_map(sizeof *self, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (!self)
        return NULL;
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
    const bool is_narrow =
        way->activations == IFN_ACTIVATIONS_Q8 || ifn_kv_dtype(way->kv) != IFN_DTYPE_F32;
    return way->is_company  ? "company"
           : way->is_replay ? "ops"
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

static bool is_same(const e2e_row *a, const e2e_row *b)
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

/* Returns the row of the current run. Without one, the process died while a backend was opened or closed: begins a
 * run in the row of the fused f32 way. */
static e2e_statistics *row_at_hand(e2e_results *self)
{
    if (self->at >= 0)
        return &self->all_statistics[self->at];
    e2e_statistics *const first =
        e2e_results_row(self, &(e2e_way){.activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32});
    e2e_results_begin(self, first ? first : &self->all_statistics[0], "between runs");
    return &self->all_statistics[self->at];
}

static void judge_end(e2e_results *self, const e2e_ending *end)
{
    char how[E2E_ENDING_BYTES];
    if (e2e_ending_is_fine(end))
        return;
    e2e_statistics *const statistics = row_at_hand(self);
    e2e_statistics_fail(statistics, E2E_DIED, "%s: %s", self->where, e2e_ending_text(end, how));
    e2e_results_end(self, statistics);
}

typedef struct task {
    void (*work)(void *cookie, e2e_results *results);
    void *cookie;
    e2e_results *results;
} task;

static void run_task(void *cookie)
{
    const task *const self = cookie;
    self->work(self->cookie, self->results);
}

void e2e_results_guard(e2e_results *self, int in_process, unsigned seconds,
                       void (*work)(void *cookie, e2e_results *results), void *cookie)
{
    task its = {work, cookie, self};
    const e2e_ending end = e2e_child_run(in_process, seconds, run_task, &its);
    if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGBUS)
        signals_look_at_map(); /* exits if the model file was truncated: no error of the backend */
    judge_end(self, &end);
}
