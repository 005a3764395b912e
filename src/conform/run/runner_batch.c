#include "runner_batch.h"

#include "runner_workers.h"

/* Bytes of address space for the tensors of a batch, touched only as far as cases are large. */
enum { BATCH_ROOM = 384 << 20 };
/* A batch is closed when its tensors have taken this much: two stay in cache together. */
enum { BATCH_FULL = 4 << 20 };

void conform_runner_share(conform_runner *self)
{
    conform_pool_init_shared(&self->shared, CONFORM_BATCHES * (sizeof(conform_batch) + 4096) +
                                                CONFORM_MAX_TESTED * sizeof(conform_channel) +
                                                CONFORM_MAX_TESTED * sizeof(atomic_int) + 4096);
    if (!self->n_hung)
        self->n_hung = conform_pool_take(&self->shared, CONFORM_MAX_TESTED, sizeof(atomic_int));
    self->channels = conform_pool_take(&self->shared, CONFORM_MAX_TESTED, sizeof(conform_channel));
    for (int i = 0; i < CONFORM_MAX_TESTED; i++)
        self->workers[i] = (conform_worker){.words = -1, .batch = -1};
    for (int i = 0; i < CONFORM_BATCHES; i++) {
        self->batches[i] = conform_pool_take(&self->shared, 1, sizeof(conform_batch));
        conform_pool_init_shared(&self->batches[i]->pool, BATCH_ROOM);
    }
}

const spec_op *runner_spec_of(const conform_runner *self, ifn_op op)
{
    return self->specs ? self->specs[op] : NULL;
}

void runner_batch_empty(conform_batch *b)
{
    b->n = 0;
    conform_pool_reset(&b->pool);
}

ifn_status runner_batch_add(conform_runner *self, conform_batch *b, const conform_case *c,
                            const spec_op *spec, ifn_error *err)
{
    const ifn_status status = conform_slot_build(
        &b->slots[b->n], &b->pool, c, spec ? spec : runner_spec_of(self, c->op), self->scalar, err);
    /* a case without memory keeps its slot, void: its verdict says so */
    if (status != IFN_OK && status != IFN_ERR_NOMEM)
        return status;
    for (int s = 0; s < self->n_tested; s++)
        b->verdicts[s][b->n].outcome = OUTCOME_NOT_RUN;
    b->n++;
    return IFN_OK;
}

bool runner_batch_is_full(const conform_batch *b)
{
    return b->n == CONFORM_BATCH_SLOTS || conform_pool_used(&b->pool) > BATCH_FULL;
}

void runner_batch_post(conform_runner *self, int batch, int tested)
{
    conform_batch *b = self->batches[batch];
    if (!self->in_process) {
        conform_worker_post(self, tested, batch, 0);
        return;
    }
    for (int i = 0; i < b->n; i++)
        conform_judge_case(&self->judges[tested], &b->slots[i], &b->verdicts[tested][i]);
}

void runner_batch_post_all(conform_runner *self, int batch)
{
    for (int s = 0; s < self->n_tested; s++)
        runner_batch_post(self, batch, s);
}
