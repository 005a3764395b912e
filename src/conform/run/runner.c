#include "runner.h"

#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "runner_feed.h"
#include "runner_fresh.h"
#include "runner_jobs.h"
#include "runner_workers.h"

/* Virtual room for the tensors of a batch; touched only as far as cases are large. */
enum { BATCH_ROOM = 384 << 20 };
/* A batch is closed when its tensors have taken this much: two stay in cache together. */
enum { BATCH_FULL = 4 << 20 };

void conform_runner_share(conform_runner *self)
{
    conform_pool_init_shared(&self->shared, CONFORM_BATCHES * (sizeof(conform_batch) + 4096) +
                                                CONFORM_MAX_SUBJECTS * sizeof(conform_channel) +
                                                4096);
    self->channels =
        conform_pool_take(&self->shared, CONFORM_MAX_SUBJECTS, sizeof(conform_channel));
    for (int i = 0; i < CONFORM_MAX_SUBJECTS; i++)
        self->workers[i] = (conform_worker){.words = -1, .batch = -1};
    for (int i = 0; i < CONFORM_BATCHES; i++) {
        self->batches[i] = conform_pool_take(&self->shared, 1, sizeof(conform_batch));
        conform_pool_init_shared(&self->batches[i]->pool, BATCH_ROOM);
    }
}

static ifn_status open_in_process(conform_runner *self, ifn_error *err)
{
    for (int i = 0; i < self->n_subjects; i++) {
        IFN_TRY(self->subjects[i].open(&self->subjects[i], &self->backends[i], err));
        conform_channel_describe(&self->channels[i], self->backends[i]);
        conform_judge_open(&self->judges[i], self->backends[i], &self->channels[i].site);
    }
    return IFN_OK;
}

ifn_status conform_runner_open(conform_runner *self, ifn_error *err)
{
    conform_runner_share(self);
    IFN_TRY(ifn_backend_open("scalar", NULL, &self->scalar, err));
    if (self->in_process)
        return open_in_process(self, err);
    for (int i = 0; i < self->n_subjects; i++)
        IFN_TRY(conform_worker_start(self, i, err));
    return IFN_OK;
}

void conform_runner_stop(conform_runner *self)
{
    char label[120];
    for (int i = 0; i < self->n_subjects; i++) {
        conform_worker_stop(self, i);
        snprintf(label, sizeof label, "backend '%.100s'", self->subjects[i].label);
        conform_words_show(&self->channels[i].words, label, stderr);
        self->channels[i].words.n_bytes = 0;
    }
}

void conform_runner_close(conform_runner *self)
{
    conform_runner_stop(self);
    for (int i = 0; i < self->n_subjects; i++) {
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
}

static void empty_batch(conform_batch *b)
{
    b->n = 0;
    conform_pool_reset(&b->pool);
}

static const spec_op *spec_of(const conform_runner *self, ifn_op op)
{
    return self->specs ? self->specs[op] : NULL;
}

static ifn_status add_case(conform_runner *self, conform_batch *b, const conform_case *c,
                           const spec_op *spec, ifn_error *err)
{
    const ifn_status status =
        conform_slot_build(&b->slots[b->n], &b->pool, c, spec, self->scalar, err);
    /* a case without memory stays in its place, void: its verdict says so */
    if (status != IFN_OK && status != IFN_ERR_NOMEM)
        return status;
    for (int s = 0; s < self->n_subjects; s++)
        b->verdicts[s][b->n].outcome = OUTCOME_NOT_RUN;
    b->n++;
    return IFN_OK;
}

static int is_full(const conform_batch *b)
{
    return b->n == CONFORM_BATCH_SLOTS || conform_pool_used(&b->pool) > BATCH_FULL;
}

static void post(conform_runner *self, int batch, int subject)
{
    conform_batch *b = self->batches[batch];
    if (!self->in_process) {
        conform_worker_post(self, subject, batch, 0);
        return;
    }
    for (int i = 0; i < b->n; i++)
        conform_judge_case(&self->judges[subject], &b->slots[i], &b->verdicts[subject][i]);
}

static void post_all(conform_runner *self, int batch)
{
    for (int s = 0; s < self->n_subjects; s++)
        post(self, batch, s);
}

static void deliver(conform_runner *self, int batch, const conform_feed *feed)
{
    conform_batch *b = self->batches[batch];
    for (int i = 0; i < b->n; i++)
        for (int s = 0; s < self->n_subjects; s++)
            feed->take(feed->cookie, b->at[i], s, &b->verdicts[s][i]);
    empty_batch(b);
}

/* With what the feed has now. */
static ifn_status fill(conform_runner *self, conform_batch *b, const conform_case *cases,
                       const conform_feed *feed, bool *is_over, ifn_error *err)
{
    while (!is_full(b)) {
        const int64_t at = feed->next(feed->cookie);
        *is_over = at == FEED_IS_OVER;
        if (at < 0)
            return IFN_OK;
        b->at[b->n] = at;
        IFN_TRY(add_case(self, b, &cases[at], spec_of(self, cases[at].op), err));
        b->slots[b->n - 1].wants_digest = conform_fresh_has(&self->fresh, at);
    }
    return IFN_OK;
}

ifn_status conform_runner_feed(conform_runner *self, const conform_case *cases,
                               const conform_feed *feed, ifn_error *err)
{
    int filling = 0, running = -1;
    bool is_over = false;
    empty_batch(self->batches[0]);
    empty_batch(self->batches[1]);
    while (!is_over || running >= 0) {
        const conform_batch *b = self->batches[filling];
        if (!is_over)
            IFN_TRY(fill(self, self->batches[filling], cases, feed, &is_over, err));
        if (running >= 0)
            IFN_TRY(conform_workers_wait(self, err));
        /* The next batch is under way before the last one is looked at. */
        if (b->n)
            post_all(self, filling);
        if (running >= 0)
            deliver(self, running, feed);
        else if (!b->n && !is_over)
            conform_jobs_nap();
        running = b->n ? filling : -1;
        filling = 1 - filling;
    }
    return IFN_OK;
}

/* All cases, one after the other. */
typedef struct whole_run {
    const conform_runner *runner;
    const conform_case *cases;
    int64_t n, i;
    conform_sink sink;
    void *cookie;
} whole_run;

static int64_t next_of_run(void *cookie)
{
    whole_run *const run = cookie;
    const conform_runner *const r = run->runner;
    if (run->i == run->n || (r->is_over && r->is_over(r->over_cookie)))
        return FEED_IS_OVER;
    return run->i++;
}

static void tell_of_run(void *cookie, int64_t at, int subject, conform_verdict *verdict)
{
    const whole_run *const run = cookie;
    conform_fresh_compare(&run->runner->fresh, at, subject, verdict);
    run->sink(run->cookie, &run->cases[at], subject, verdict);
}

ifn_status conform_runner_run(conform_runner *self, const conform_case *cases, int64_t n,
                              conform_sink sink, void *cookie, ifn_error *err)
{
    whole_run run = {self, cases, n, 0, sink, cookie};
    const conform_feed feed = {&run, next_of_run, tell_of_run};
    IFN_TRY(conform_fresh_run(self, cases, n, err));
    if (conform_jobs_are_worth_it(self, n))
        return conform_jobs_run(self, cases, n, sink, cookie, err);
    return conform_runner_feed(self, cases, &feed, err);
}

/* Cases at a time: what is wrong is usually noticed by the first of them. */
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

ifn_status conform_runner_sample(conform_runner *self, const conform_case *cases, const int64_t *at,
                                 int n, ifn_error *err)
{
    conform_batch *b = self->batches[CONFORM_SINGLE];
    empty_batch(b);
    for (int i = n; i-- > 0;) {
        IFN_TRY(add_case(self, b, &cases[at[i]], spec_of(self, cases[at[i]].op), err));
        b->slots[b->n - 1].wants_digest = 1;
    }
    post_all(self, CONFORM_SINGLE);
    return conform_workers_wait(self, err);
}

static ifn_status judge_single(conform_runner *self, int subject, conform_verdict *out,
                               ifn_error *err)
{
    post(self, CONFORM_SINGLE, subject);
    IFN_TRY(conform_workers_wait(self, err));
    *out = self->batches[CONFORM_SINGLE]->verdicts[subject][0];
    return IFN_OK;
}

ifn_status conform_runner_try(conform_runner *self, int subject, const conform_case *c,
                              conform_verdict *out, ifn_error *err)
{
    conform_batch *b = self->batches[CONFORM_SINGLE];
    empty_batch(b);
    IFN_TRY(add_case(self, b, c, spec_of(self, c->op), err));
    return judge_single(self, subject, out, err);
}

/* The worker reads names and values where the slot points to: they must lie in shared memory. */
static ifn_status add_written(conform_runner *self, conform_batch *b, const conform_case *c,
                              const spec_entry *entry, ifn_error *err)
{
    const size_t n = (size_t)entry->n_values;
    empty_batch(b);
    spec_op *spec = conform_pool_take(&b->pool, 1, sizeof *spec);
    if (spec_of(self, c->op))
        *spec = *spec_of(self, c->op);
    spec->op = c->op;
    spec->n_golden = 1;
    spec->golden[0] = *entry;
    spec->golden[0].values = conform_pool_take(&b->pool, n, sizeof *entry->values);
    memcpy(spec->golden[0].values, entry->values, n * sizeof *entry->values);
    return add_case(self, b, c, spec, err);
}

ifn_status conform_runner_try_written(conform_runner *self, int subject, const conform_case *c,
                                      const spec_entry *entry, conform_verdict *out, ifn_error *err)
{
    IFN_TRY(add_written(self, self->batches[CONFORM_SINGLE], c, entry, err));
    return judge_single(self, subject, out, err);
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
