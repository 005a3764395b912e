#include "runner_feed.h"

#include "jobs.h"
#include "runner_batch.h"
#include "runner_workers.h"

static void deliver(conform_runner *self, int batch, const conform_feed *feed)
{
    conform_batch *b = self->batches[batch];
    for (int i = 0; i < b->n; i++)
        for (int s = 0; s < self->n_tested; s++)
            feed->take(feed->cookie, b->at[i], s, &b->verdicts[s][i]);
    runner_batch_empty(b);
}

/* Fills the batch with the cases that the feed has now. */
static ifn_status fill(conform_runner *self, conform_batch *b, const conform_feed *feed,
                       bool *is_over, ifn_error *err)
{
    const int64_t most = feed->most ? feed->most(feed->cookie) : CONFORM_BATCH_SLOTS;
    while (!runner_batch_is_full(b) && b->n < most) {
        conform_fed fed;
        const int64_t at = feed->next(feed->cookie, &fed);
        *is_over = at == FEED_IS_OVER;
        if (at < 0)
            return IFN_OK;
        b->at[b->n] = at;
        IFN_TRY(runner_batch_add(self, b, fed.c, NULL, err));
        b->slots[b->n - 1].wants_digest = fed.wants_digest;
        b->slots[b->n - 1].n_other_sizes = self->n_other_sizes;
    }
    return IFN_OK;
}

ifn_status conform_runner_feed(conform_runner *self, const conform_feed *feed, ifn_error *err)
{
    int filling = 0, running = -1;
    bool is_over = false;
    runner_batch_empty(self->batches[0]);
    runner_batch_empty(self->batches[1]);
    while (!is_over || running >= 0) {
        const conform_batch *b = self->batches[filling];
        if (!is_over)
            IFN_TRY(fill(self, self->batches[filling], feed, &is_over, err));
        if (running >= 0)
            IFN_TRY(conform_workers_wait(self, err));
        /* The next batch starts before the last one is delivered. */
        if (b->n)
            runner_batch_post_all(self, filling);
        if (running >= 0)
            deliver(self, running, feed);
        else if (!b->n && !is_over)
            conform_jobs_nap();
        running = b->n ? filling : -1;
        filling = 1 - filling;
    }
    return IFN_OK;
}
