#include "runner.h"

#include <stdio.h>
#include <string.h>

#include "runner_batch.h"
#include "runner_feed.h"
#include "runner_fresh.h"
#include "runner_jobs.h"
#include "runner_workers.h"
#include "supervisor.h"

static ifn_status open_in_process(conform_runner *self, ifn_error *err)
{
    supervisor_enter("while it was judged", false);
    for (int i = 0; i < self->n_tested; i++) {
        IFN_TRY(self->tested[i].open(&self->tested[i], &self->backends[i], err));
        conform_channel_describe(&self->channels[i], self->backends[i]);
        conform_judge_open(&self->judges[i], self->backends[i], &self->channels[i].site);
        self->judges[i].scalar = self->scalar;
    }
    return IFN_OK;
}

ifn_status conform_runner_open(conform_runner *self, ifn_error *err)
{
    conform_runner_share(self);
    IFN_TRY(ifn_backend_open("scalar", NULL, &self->scalar, err));
    if (self->in_process)
        return open_in_process(self, err);
    for (int i = 0; i < self->n_tested; i++)
        IFN_TRY(conform_worker_start(self, i, err));
    return IFN_OK;
}

void conform_runner_stop(conform_runner *self)
{
    char label[120];
    conform_jobs_stop(self);
    for (int i = 0; i < self->n_tested; i++) {
        conform_worker_stop(self, i);
        snprintf(label, sizeof label, "backend '%.100s'", self->tested[i].label);
        conform_words_show(&self->channels[i].words, label, stderr);
        self->channels[i].words.n_bytes = 0;
    }
}

void conform_runner_close(conform_runner *self)
{
    conform_runner_stop(self);
    for (int i = 0; i < self->n_tested; i++) {
        if (self->backends[i])
            conform_judge_close(&self->judges[i]);
        ifn_backend_close(self->backends[i]);
        self->backends[i] = NULL;
    }
    ifn_backend_close(self->scalar);
    self->scalar = NULL;
    for (int i = 0; i < CONFORM_BATCHES; i++)
        if (self->batches[i])
            conform_pool_fini(&self->batches[i]->pool);
    conform_pool_fini(&self->shared);
    self->n_hung = NULL;
}

/* The cookie of a feed with all cases, one after the other. */
typedef struct whole_run {
    const conform_runner *runner;
    const conform_case *cases;
    int64_t n, i;
    conform_sink sink;
    void *cookie;
} whole_run;

static int64_t next_of_run(void *cookie, conform_fed *out)
{
    whole_run *const run = cookie;
    const conform_runner *const r = run->runner;
    if (run->i == run->n || (r->is_over && r->is_over(r->over_cookie)))
        return FEED_IS_OVER;
    *out = (conform_fed){&run->cases[run->i], conform_fresh_has(&r->fresh, run->i)};
    return run->i++;
}

static void tell_of_run(void *cookie, int64_t at, int tested, conform_verdict *verdict)
{
    const whole_run *const run = cookie;
    conform_fresh_compare(&run->runner->fresh, at, tested, verdict);
    run->sink(run->cookie, conform_verdict_case(verdict, &run->cases[at]), tested, verdict);
}

ifn_status conform_runner_run(conform_runner *self, const conform_case *cases, int64_t n,
                              conform_sink sink, void *cookie, ifn_error *err)
{
    whole_run run = {self, cases, n, 0, sink, cookie};
    const conform_feed feed = {&run, next_of_run, NULL, tell_of_run};
    conform_fresh_choose(self, cases, n, &self->fresh);
    if (conform_jobs_are_worth_it(self, n))
        return conform_jobs_run(self, cases, n, sink, cookie, err);
    IFN_TRY(conform_fresh_run(self, cases, err));
    return conform_runner_feed(self, &feed, err);
}

void conform_runner_announce(conform_runner *self, const conform_case *cases, int64_t n)
{
    if (conform_jobs_are_worth_it(self, n))
        conform_jobs_announce(self, cases, n);
}

/* Cases at a time: the first few usually show a failure. */
enum { FEW = 8, MANY = 512 };

ifn_status conform_runner_run_until(conform_runner *self, const conform_case *cases, int64_t n,
                                    conform_sink sink, conform_is_enough is_enough, void *cookie,
                                    ifn_error *err)
{
    for (int64_t i = 0, step = FEW; i < n && !is_enough(cookie); i += step) {
        step = i < FEW ? FEW : step < MANY ? 2 * step : MANY;
        IFN_TRY(
            conform_runner_run(self, cases + i, i + step < n ? step : n - i, sink, cookie, err));
    }
    return IFN_OK;
}

static ifn_status judge_single(conform_runner *self, int tested, conform_verdict *out,
                               ifn_error *err)
{
    runner_batch_post(self, CONFORM_SINGLE, tested);
    IFN_TRY(conform_workers_wait(self, err));
    *out = self->batches[CONFORM_SINGLE]->verdicts[tested][0];
    return IFN_OK;
}

ifn_status conform_runner_try(conform_runner *self, int tested, const conform_case *c,
                              conform_verdict *out, ifn_error *err)
{
    conform_batch *b = self->batches[CONFORM_SINGLE];
    runner_batch_empty(b);
    IFN_TRY(runner_batch_add(self, b, c, NULL, err));
    return judge_single(self, tested, out, err);
}

ifn_status conform_runner_try_for(conform_runner *self, int tested, conform_check check,
                                  const conform_case *c, conform_verdict *out, ifn_error *err)
{
    return check == CHECK_FIRST && !self->in_process
               ? conform_first_try(self, tested, c, out, err)
               : conform_runner_try(self, tested, c, out, err);
}

/* Adds a GOLDEN case to the batch, with `entry` copied to shared memory, where the worker reads names and values. */
static ifn_status add_written(conform_runner *self, conform_batch *b, const conform_case *c,
                              const spec_entry *entry, ifn_error *err)
{
    const size_t n = (size_t)entry->n_values;
    runner_batch_empty(b);
    spec_op *spec = conform_pool_take(&b->pool, 1, sizeof *spec);
    if (runner_spec_of(self, c->op))
        *spec = *runner_spec_of(self, c->op);
    spec->op = c->op;
    spec->n_golden = 1;
    spec->golden[0] = *entry;
    spec->golden[0].values = conform_pool_take(&b->pool, n, sizeof *entry->values);
    memcpy(spec->golden[0].values, entry->values, n * sizeof *entry->values);
    return runner_batch_add(self, b, c, spec, err);
}

ifn_status conform_runner_try_written(conform_runner *self, int tested, const conform_case *c,
                                      const spec_entry *entry, conform_verdict *out, ifn_error *err)
{
    IFN_TRY(add_written(self, self->batches[CONFORM_SINGLE], c, entry, err));
    return judge_single(self, tested, out, err);
}

ifn_status conform_runner_try_scalar(conform_runner *self, const conform_case *c,
                                     const spec_entry *entry, conform_verdict *out, ifn_error *err)
{
    conform_judge judge;
    IFN_TRY(add_written(self, self->batches[CONFORM_SINGLE], c, entry, err));
    conform_judge_open(&judge, self->scalar, NULL);
    conform_judge_case(&judge, &self->batches[CONFORM_SINGLE]->slots[0], out);
    conform_judge_close(&judge);
    return IFN_OK;
}
