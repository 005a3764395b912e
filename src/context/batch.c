/*
 * Evaluates a batch in passes of up to max_rows rows. Passes are filled part after part, so the ids
 * of one part may be spread over several passes.
 */
#include "context_priv.h"

#include <string.h>

#include <inferno/huge_pages.h>

#include "kv_pages.h"
#include "min_max.h"

/* How much of a batch is already in passes: all parts before `part`, and the first `at` ids of that one. */
typedef struct progress {
    size_t part;
    int64_t at;
} progress;

/* Ids [at, at + rows) of a part; they are rows [row, row + rows) of the pass. */
typedef struct chunk {
    const ifn_batch_part *part;
    int64_t at, rows, row;
} chunk;

/* Steps through the chunks of one pass: writes the next to *out, which starts all zero. False after the last. */
static bool next_chunk(const ifn_context *self, const ifn_batch *batch, progress *p, chunk *out)
{
    const int64_t left = self->plan.params.max_rows - (out->row + out->rows);
    if (p->part == batch->n || left == 0)
        return false;
    const ifn_batch_part *const part = &batch->parts[p->part];
    *out = (chunk){part, p->at, ifn_min((int64_t)part->n - p->at, left), out->row + out->rows};
    p->at += out->rows;
    if (p->at == (int64_t)part->n)
        *p = (progress){p->part + 1, 0};
    return true;
}

static int64_t position_of(const ifn_context *self, const chunk *p)
{
    return self->host.sequences[p->part->sequence].position + p->at;
}

/* Fills in the pass at *pass, with its spans, and copies its rope rows to the backend. */
static ifn_status put_inputs(ifn_context *self, const ifn_batch *batch, progress begin,
                             ifn_pass *pass)
{
    const int64_t head_dim = self->h->head_dim;
    chunk p = {0};
    *pass = (ifn_pass){0};
    self->layer = -1;
    ifn_context_at(self, IFN_POINT_INPUTS);
    while (next_chunk(self, batch, &begin, &p)) {
        const int64_t first = position_of(self, &p);
        for (int64_t r = 0; r < p.rows; r++)
            ifn_model_rope_row(self->model, first + r, self->host.rope + (p.row + r) * head_dim);
        self->host.spans[pass->n_spans++] =
            (ifn_span){p.part->sequence * self->b.kv.slot, first, p.rows};
        pass->rows += p.rows;
        pass->first_pos = first;
    }
    if (self->plan.params.n_sequences == 1) {
        pass->n_spans = 0;
    } else {
        pass->spans = self->host.spans;
        pass->first_pos = 0;
    }
    return IFN_RUN(self, copy_in, .out = self->b.rope, .host = self->host.rope,
                   .bytes = (size_t)(pass->rows * head_dim) * sizeof(float));
}

static ifn_status put_ids(ifn_context *self, const ifn_batch *batch, progress begin)
{
    chunk p = {0};
    while (next_chunk(self, batch, &begin, &p))
        IFN_TRY(IFN_RUN(self, copy_in, .out = self->b.ids + p.row, .host = p.part->ids + p.at,
                        .bytes = (size_t)p.rows * sizeof(ifn_token)));
    return IFN_OK;
}

/* The state of keep_logits while it norms the rows whose logits are wanted, one run of adjacent rows at a time. */
typedef struct normed {
    int64_t first, n; /* the pending run: rows [first, first + n) of the pass, not normed yet */
    int64_t at;       /* rows normed so far, in b.normed or b.normed_q8 */
} normed;

static ifn_status norm_run(ifn_context *self, normed *k)
{
    if (k->n > 0)
        IFN_TRY(ifn_norm_for_logits(self, k->first, k->n, k->at));
    *k = (normed){.at = k->at + k->n};
    return IFN_OK;
}

/* True if the chunk ends a part that asks for one row of logits: these stay in the context. */
static bool keeps(const chunk *p)
{
    return p->part->n_logits == 1 && p->at + p->rows == (int64_t)p->part->n;
}

/* Norms adjacent rows in one call, then multiplies all normed rows by the output matrix in one call. */
static ifn_status keep_logits(ifn_context *self, const ifn_batch *batch, progress begin)
{
    const int64_t first = self->n_kept;
    normed k = {0};
    chunk p = {0};
    while (next_chunk(self, batch, &begin, &p)) {
        const int64_t row = p.row + p.rows - 1;
        if (!keeps(&p))
            continue;
        if (k.n > 0 && row != k.first + k.n)
            IFN_TRY(norm_run(self, &k));
        if (k.n++ == 0)
            k.first = row;
        self->host.sequences[p.part->sequence].logits_row = self->n_kept++;
    }
    IFN_TRY(norm_run(self, &k));
    return k.at > 0 ? ifn_logits_of_normed(self, k.at, first) : IFN_OK;
}

/* For a part that asks for several rows of logits: copies those of the rows in this chunk to the host. */
static ifn_status give_logits(ifn_context *self, const chunk *p)
{
    const int64_t wanted = (int64_t)(p->part->n - p->part->n_logits);
    const int64_t from = ifn_max(p->at, wanted), end = p->at + p->rows, n = end - from;
    const int64_t n_vocab = self->h->n_vocab;
    const int64_t to = self->plan.params.n_sequences > 1 ? self->plan.params.n_sequences : 0;
    if (p->part->n_logits < 2 || n <= 0)
        return IFN_OK;
    if (self->plan.params.graph == IFN_GRAPH_PRIMITIVE) {
        IFN_TRY(ifn_logits_primitive(self, p->row + from - p->at, n));
    } else {
        IFN_TRY(ifn_norm_for_logits(self, p->row + from - p->at, n, 0));
        IFN_TRY(ifn_logits_of_normed(self, n, to));
    }
    return ifn_context_read(self, p->part->logits + (from - wanted) * n_vocab,
                            self->b.logits + to * n_vocab, (size_t)(n * n_vocab) * sizeof(float));
}

/* The primitive graph has one sequence, whose logits are in row 0. */
static ifn_status keep_primitive(ifn_context *self, const ifn_batch *batch, progress begin)
{
    chunk p = {0};
    while (next_chunk(self, batch, &begin, &p)) {
        if (!keeps(&p))
            continue;
        self->host.sequences[0].logits_row = self->n_kept++;
        IFN_TRY(ifn_logits_primitive(self, p.row + p.rows - 1, 1));
    }
    return IFN_OK;
}

static ifn_status compute(ifn_context *self, const ifn_batch *batch, progress begin,
                          const ifn_pass *pass)
{
    const bool primitive = self->plan.params.graph == IFN_GRAPH_PRIMITIVE;
    IFN_TRY(primitive ? ifn_forward_primitive(self, pass) : ifn_forward_fused(self, pass));
    return primitive ? keep_primitive(self, batch, begin) : keep_logits(self, batch, begin);
}

/* Runs the ops of a pass between the backend's begin and end: a device may submit them together, as the
 * host neither writes inputs nor reads results in between. */
static ifn_status compute_as_one(ifn_context *self, const ifn_batch *batch, progress begin,
                                 const ifn_pass *pass)
{
    const int32_t lane = self->plan.params.lane;
    IFN_TRY(ifn_context_ran(self, "begin", ifn_backend_begin(self->backend, lane)));
    const ifn_status status = compute(self, batch, begin, pass);
    const ifn_status ended = ifn_backend_end(self->backend, lane);
    return status == IFN_OK ? ifn_context_ran(self, "end", ended) : status;
}

/* Copies the logits that the pass's parts ask for to the host, and moves `begin` to the next pass. */
static ifn_status give_pass(ifn_context *self, const ifn_batch *batch, progress *begin)
{
    chunk p = {0};
    while (next_chunk(self, batch, begin, &p)) {
        IFN_TRY(give_logits(self, &p));
        if (keeps(&p) && p.part->logits)
            IFN_TRY(ifn_context_sequence_logits(self, p.part->sequence, p.part->logits, self->err));
    }
    return IFN_OK;
}

static ifn_status run_pass(ifn_context *self, const ifn_batch *batch, progress *begin)
{
    ifn_pass pass;
    IFN_TRY(put_inputs(self, batch, *begin, &pass));
    IFN_TRY(put_ids(self, batch, *begin));
    IFN_TRY(compute_as_one(self, batch, *begin, &pass));
    return give_pass(self, batch, begin);
}

/*
 * Moves the context's block to huge pages once half of the cache is in use: then nearly every page
 * of it is or will be touched. Small pages cost time twice. The first touch of each took 7 per cent
 * of a prompt of 512 in a cache of that size, 3 per cent on two threads. And attention to 16384 keys
 * of 8 heads takes 1.2 (f32) to 1.3 times as long (f16, q8_0) in small pages. Moving a gigabyte
 * takes 0.3 to 2 s once, and reading its keys and values is 15 ms faster for each later token.
 * A cache for much longer texts keeps small pages, as most of it may never be touched.
 */
static void expect_pages(ifn_context *self, const ifn_batch *batch)
{
    int64_t rows = 0;
    for (size_t i = 0; i < batch->n; i++)
        rows +=
            self->host.sequences[batch->parts[i].sequence].position + (int64_t)batch->parts[i].n;
    if (self->has_huge_pages || rows == 0 || rows < self->b.kv.max_pos / 2)
        return;
    self->has_huge_pages = true;
    (void)ifn_move_to_huge_pages(self->block, self->block_bytes);
}

/* Runs all passes, then waits for the backend: a device may still be working on them, and its failure must
 * become this evaluation's. */
static ifn_status run_passes(ifn_context *self, const ifn_batch *batch)
{
    progress done = {0};
    while (done.part < batch->n)
        IFN_TRY(run_pass(self, batch, &done));
    return ifn_context_ran(self, "synchronize",
                           ifn_backend_synchronize(self->backend, self->plan.params.lane));
}

/* Takes pages for all rows of a batch before any of them is written. */
static ifn_status take_pages(ifn_context *self, const ifn_batch *batch)
{
    self->layer = -1;
    for (size_t i = 0; i < batch->n; i++) {
        const ifn_batch_part *const p = &batch->parts[i];
        IFN_TRY(ifn_kv_pages_for(self, p->sequence, self->host.sequences[p->sequence].position,
                                 (int64_t)p->n));
    }
    return IFN_OK;
}

/* Updates a sequence after a batch: it is longer by the part's ids or, if the batch failed, as long as before. */
static void end_part(ifn_context *self, const ifn_batch_part *part, ifn_status status)
{
    ifn_sequence *const s = &self->host.sequences[part->sequence];
    if (status != IFN_OK)
        s->logits_row = -1;
    else
        s->position += (int64_t)part->n;
    ifn_kv_pages_cut(self, part->sequence, s->position);
}

static ifn_status eval_parts(ifn_context *self, const ifn_batch *batch)
{
    self->n_kept = 0;
    for (int32_t i = 0; i < self->plan.params.n_sequences; i++)
        self->host.sequences[i].logits_row = -1;
    ifn_status status = take_pages(self, batch);
    if (status == IFN_OK)
        status = run_passes(self, batch);
    for (size_t i = 0; i < batch->n; i++)
        end_part(self, &batch->parts[i], status);
    return status;
}

/* Evaluates without a KV cache: the one sequence is computed again from position 0 on, with the new ids at its end. */
static ifn_status eval_whole(ifn_context *self, const ifn_batch_part *part)
{
    ifn_sequence *const s = &self->host.sequences[0];
    const int64_t before = s->position;
    ifn_batch_part whole = *part;
    memcpy(self->host.history + before, part->ids, part->n * sizeof *part->ids);
    whole.ids = self->host.history;
    whole.n += (size_t)before;
    s->position = 0;
    const ifn_status status = eval_parts(self, &(ifn_batch){1, &whole});
    if (status != IFN_OK)
        s->position = before;
    return status;
}

static ifn_status check_logits(const ifn_context *self, const ifn_batch_part *p)
{
    if (p->n_logits > p->n)
        return ifn_fail(self->err, IFN_ERR_ARGUMENT,
                        "logits of %llu positions, expected at most %llu",
                        (unsigned long long)p->n_logits, (unsigned long long)p->n);
    if (p->n_logits > 1 && !self->plan.params.all_logits)
        return ifn_fail(self->err, IFN_ERR_ARGUMENT, "the context was opened without all_logits");
    if (p->n_logits > 1 && !p->logits)
        return ifn_fail(self->err, IFN_ERR_ARGUMENT,
                        "logits of %llu positions: nowhere to put them",
                        (unsigned long long)p->n_logits);
    return IFN_OK;
}

static ifn_status check_ids(ifn_context *self, const ifn_batch_part *p, ifn_error *err)
{
    const int64_t position = self->host.sequences[p->sequence].position;
    const int64_t room = self->plan.params.max_pos - position;
    self->err = err;
    if (p->n > (size_t)room)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%llu tokens after %lld: the context holds %lld",
                        (unsigned long long)p->n, (long long)position,
                        (long long)self->plan.params.max_pos);
    for (size_t i = 0; i < p->n; i++)
        if (p->ids[i] < 0 || p->ids[i] >= self->h->n_vocab)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "token %llu: id %d, expected 0 .. %lld",
                            (unsigned long long)i, p->ids[i], (long long)self->h->n_vocab - 1);
    return check_logits(self, p);
}

static ifn_status check_part(ifn_context *self, const ifn_batch_part *p, ifn_error *err)
{
    ifn_sequence *const s = ifn_sequence_of(self, p->sequence);
    if (!s)
        return IFN_ERR_ARGUMENT;
    if (s->is_in_batch)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "sequence %d: twice in one batch", (int)p->sequence);
    s->is_in_batch = true;
    if (p->n == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "sequence %d: no tokens, expected 1 or more",
                        (int)p->sequence);
    return check_ids(self, p, err);
}

ifn_status ifn_context_eval_batch(ifn_context *self, const ifn_batch *batch, ifn_error *err)
{
    ifn_status status = IFN_OK;
    self->err = err;
    for (size_t i = 0; i < batch->n && status == IFN_OK; i++)
        status = check_part(self, &batch->parts[i], err);
    for (int32_t i = 0; i < self->plan.params.n_sequences; i++)
        self->host.sequences[i].is_in_batch = false;
    if (status != IFN_OK || batch->n == 0)
        return status;
    expect_pages(self, batch);
    return self->plan.params.kv == IFN_KV_OFF ? eval_whole(self, batch->parts)
                                              : eval_parts(self, batch);
}
