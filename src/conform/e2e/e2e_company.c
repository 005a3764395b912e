#include "e2e_company.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/spans.h>

#include "declared.h"
#include "e2e_batches.h"
#include "escape.h"
#include "fnv1a.h"
#include "tap.h"

/* Hashes of a life evaluated alone: one for each row of each output, in the order of computation. */
typedef struct track {
    uint64_t *hashes;
    int64_t n, room, at; /* at: the next hash to compare with the batch */
} track;

/* The place of the first difference. */
typedef struct finding {
    ifn_op op;
    int64_t layer;
    char place[48];
    int32_t life;
} finding;

/* State of the tap's hook: the parts of the current pass, and the hashes to store or to compare with. */
typedef struct listener {
    track tracks[BATCH_LIVES];
    bool is_alone;
    int n_parts; /* of the pass; 0: outputs are ignored */
    batch_part parts[BATCH_SEQUENCES];
    const batch_life *lives;
    int64_t n_normed; /* parts whose last row has passed the output norm */
    int64_t n_compared;
    bool has_differed, has_no_memory;
    finding first;
} listener;

/* --- rows --- */

static uint64_t hash_bytes(uint64_t h, const unsigned char *bytes, size_t n)
{
    for (; n >= 8; n -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return fnv1a_bytes(h, bytes, n);
}

/* Hashes row `row` of part `part` in the cache, over all heads. */
static uint64_t hash_stored(const ifn_kv_store_args *a, const unsigned char *cache, int part,
                            int64_t row)
{
    const int64_t bytes = ifn_cache_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t pos =
        a->n_spans > 0 ? a->spans[part].begin + a->spans[part].first_pos + row : a->first_pos + row;
    uint64_t h = 1;
    for (int64_t head = 0; head < a->n_kv_heads; head++)
        h = hash_bytes(h, cache + (head * a->max_pos + pos) * bytes, (size_t)bytes);
    return h;
}

static uint64_t hash_row(const tap_output *o, int64_t row)
{
    const bool is_q8 = o->dtype == IFN_DTYPE_Q8_32F;
    const size_t element = is_q8 ? sizeof(ifn_block_q8_32f) : sizeof(float);
    const size_t n = (size_t)(is_q8 ? o->cols / 32 : o->cols);
    return hash_bytes(1, (const unsigned char *)o->data + (size_t)(row * o->stride) * element,
                      n * element);
}

static void keep(listener *self, track *t, uint64_t hash)
{
    if (t->n == t->room) {
        const int64_t room = 2 * t->room + 1024;
        uint64_t *const more = realloc(t->hashes, (size_t)room * sizeof *more);
        self->has_no_memory |= !more;
        if (!more)
            return;
        t->hashes = more;
        t->room = room;
    }
    t->hashes[t->n++] = hash;
}

static void compare(listener *self, int part, const tap_call *call, const tap_output *o,
                    uint64_t hash)
{
    track *const t = &self->tracks[self->parts[part].life];
    const bool is_equal = t->at < t->n && t->hashes[t->at] == hash;
    t->at++;
    self->n_compared++;
    if (is_equal || self->has_differed)
        return;
    self->has_differed = true;
    self->first = (finding){.op = call->op, .layer = o->layer, .life = self->parts[part].life};
    if (o->layer >= 0)
        snprintf(self->first.place, sizeof self->first.place, "blk.%lld.%s", (long long)o->layer,
                 o->point);
    else
        snprintf(self->first.place, sizeof self->first.place, "%s", o->point);
}

static const batch_chunk *chunk_of(const listener *self, int part)
{
    return &self->lives[self->parts[part].life].chunks[self->parts[part].chunk];
}

/* Stores or compares the hashes of rows [first, first + n) of an output, which belong to part `part`. */
static void hear_rows(listener *self, const tap_call *call, const tap_output *o, int part,
                      int64_t first, int64_t n)
{
    const ifn_kv_store_args *const store = (const ifn_kv_store_args *)(const void *)call->args;
    for (int64_t r = 0; r < n; r++) {
        const uint64_t hash = call->op == IFN_OP_KV_STORE ? hash_stored(store, o->data, part, r)
                                                          : hash_row(o, first + r);
        if (self->is_alone)
            keep(self, &self->tracks[self->parts[part].life], hash);
        else
            compare(self, part, call, o, hash);
    }
}

/* Distributes the rows of an output to the parts. Output norm and logits have one row per part, its last one, in the
 * order of parts; all other outputs have every row. */
static void hear_output(listener *self, const tap_call *call, const tap_output *o)
{
    const int point = call->args->point;
    const bool is_last = point == IFN_POINT_OUTPUT_NORM || point == IFN_POINT_LOGITS;
    const int64_t from = point == IFN_POINT_OUTPUT_NORM ? self->n_normed : 0;
    int64_t row = 0;
    for (int part = 0; part < self->n_parts; part++) {
        const int64_t rows = chunk_of(self, part)->n;
        if (!is_last)
            hear_rows(self, call, o, part, row, rows);
        else if (part >= from && part < from + call->n_pos)
            hear_rows(self, call, o, part, part - from, 1);
        row += rows;
    }
}

static ifn_status after(void *cookie, const tap_call *call, ifn_status status)
{
    listener *const self = cookie;
    for (int i = 0; status == IFN_OK && i < call->n_outputs; i++)
        hear_output(self, call, &call->outputs[i]);
    if (call->args->point == IFN_POINT_OUTPUT_NORM && call->n_outputs > 0)
        self->n_normed += call->n_pos;
    return status;
}

/* --- batches --- */

typedef struct room {
    ifn_backend *backend, *tap;
    ifn_weights *weights;
    ifn_context *alone, *company;
    listener ear;
    batch_script script;
    int32_t places[BATCH_SEQUENCES]; /* number of each sequence in the context; -1: none */
} room;

/* Sets the parts of the next pass. */
static void begin_pass(listener *self, const batch_part *parts, int n)
{
    for (int i = 0; i < n; i++)
        self->parts[i] = parts[i];
    self->n_parts = n;
    self->n_normed = 0;
}

/* Evaluates a life alone, in the same chunks as in the batch, so that nothing else differs. Ignores the outputs of
 * copied chunks: in the batch they were computed once, for the life that was copied. */
static ifn_status run_alone(room *r, int32_t number, ifn_error *err)
{
    const batch_life *const life = &r->script.lives[number];
    track *const t = &r->ear.tracks[number];
    r->ear.is_alone = true;
    t->n = t->at = 0;
    for (int32_t i = 0; i < life->n_chunks; i++) {
        const batch_chunk *const chunk = &life->chunks[i];
        begin_pass(&r->ear, &(batch_part){number, i}, i >= life->n_copied);
        IFN_TRY(ifn_context_rewind(r->alone, chunk->kept, err));
        IFN_TRY(ifn_context_eval(r->alone, life->ids + chunk->at, (size_t)chunk->n, err));
    }
    return IFN_OK;
}

static ifn_status drop(room *r, int32_t sequence, ifn_error *err)
{
    const int32_t place = r->places[sequence];
    r->places[sequence] = -1;
    return ifn_context_sequence_drop(r->company, place, err);
}

static ifn_status copy(room *r, const batch_change *c, ifn_error *err)
{
    if (r->places[c->sequence] < 0)
        IFN_TRY(ifn_context_sequence_add(r->company, &r->places[c->sequence], err));
    return ifn_context_sequence_copy(r->company, r->places[c->from], r->places[c->sequence], c->n,
                                     err);
}

static ifn_status change(room *r, const batch_change *c, ifn_error *err)
{
    switch (c->kind) {
    case BATCH_ADD:
        return ifn_context_sequence_add(r->company, &r->places[c->sequence], err);
    case BATCH_DROP:
        return drop(r, c->sequence, err);
    case BATCH_COPY:
        return copy(r, c, err);
    default:
        return ifn_context_sequence_cut(r->company, r->places[c->sequence], c->n, err);
    }
}

static ifn_status run_step(room *r, const batch_step *step, ifn_error *err)
{
    ifn_batch_part parts[BATCH_SEQUENCES];
    begin_pass(&r->ear, NULL, 0);
    for (int32_t i = 0; i < step->n_changes; i++)
        IFN_TRY(change(r, &step->changes[i], err));
    begin_pass(&r->ear, step->parts, step->n_parts);
    for (int32_t i = 0; i < step->n_parts; i++) {
        const batch_life *const life = &r->script.lives[step->parts[i].life];
        const batch_chunk *const chunk = &life->chunks[step->parts[i].chunk];
        parts[i] = (ifn_batch_part){r->places[life->sequence], (size_t)chunk->n,
                                    life->ids + chunk->at, 1, NULL};
    }
    return ifn_context_eval_batch(r->company, &(ifn_batch){(size_t)step->n_parts, parts}, err);
}

/* Gives the sequences the numbers that the script names, and frees all others. Their cache may hold any old rows. */
static ifn_status take_places(room *r, ifn_error *err)
{
    for (int32_t i = 0; i < BATCH_SEQUENCES; i++)
        if (r->places[i] >= 0)
            IFN_TRY(drop(r, i, err));
    for (int32_t i = 0, place; i < BATCH_SEQUENCES; i++)
        IFN_TRY(ifn_context_sequence_add(r->company, &place, err));
    for (int32_t i = 0; i < BATCH_SEQUENCES; i++)
        r->places[i] = (int32_t)r->script.places[i];
    for (int32_t i = r->script.n_sequences; i < BATCH_SEQUENCES; i++)
        IFN_TRY(drop(r, i, err));
    return IFN_OK;
}

static ifn_status run_together(room *r, ifn_error *err)
{
    r->ear.is_alone = false;
    IFN_TRY(take_places(r, err));
    for (int step = 0; step < BATCH_STEPS; step++)
        IFN_TRY(run_step(r, &r->script.steps[step], err));
    return IFN_OK;
}

static ifn_status run_batch(room *r, ifn_error *err)
{
    r->ear.has_differed = false;
    r->ear.n_compared = 0;
    for (int32_t i = 0; i < r->script.n_lives; i++)
        IFN_TRY(run_alone(r, i, err));
    IFN_TRY(run_together(r, err));
    return r->ear.has_no_memory ? ifn_fail(err, IFN_ERR_NOMEM, "out of memory for hashes") : IFN_OK;
}

static void judge_batch(const e2e_company *self, room *r, e2e_statistics *statistics,
                        bool is_demanded, uint64_t seed, const char *where)
{
    const finding *const f = &r->ear.first;
    ifn_error err = {0};
    e2e_batch_draw(&r->script, seed, ifn_model_hparams(self->model)->n_vocab,
                   ifn_context_max_position(r->alone) == BATCH_LONG);
    if (run_batch(r, &err) != IFN_OK) {
        e2e_statistics_fail(statistics, E2E_STATUS, "%s: %s", where, err.text);
        return;
    }
    statistics->row.steps += r->ear.n_compared;
    if (is_demanded && r->ear.has_differed)
        e2e_statistics_fail(
            statistics, E2E_UNEQUAL,
            "%s: R10: %s (op %s) of sequence %d is not what it is alone, of %d sequences", where,
            f->place, ifn_op_name(f->op), (int)r->script.lives[f->life].sequence,
            (int)r->script.n_sequences);
    e2e_statistics_relation(statistics, !r->ear.has_differed, is_demanded, where);
}

static ifn_status open_contexts(const e2e_company *self, room *r, ifn_error *err)
{
    const int64_t most = ifn_model_hparams(self->model)->n_ctx_train;
    ifn_context_params p =
        IFN_SIZED(ifn_context_params, .max_pos = BATCH_LONG, .activations = self->mode.activations,
                  .kv = e2e_kv_of(self->mode.cache));
    if (most > 0 && most < BATCH_LONG)
        p.max_pos = BATCH_SHORT;
    p.max_rows = BATCH_SEQUENCES * p.max_pos; /* each step fits into one pass */
    IFN_TRY(ifn_weights_open(self->model, r->tap, ifn_context_uses(self->model, &p), NULL, NULL,
                             &r->weights, err));
    IFN_TRY(ifn_context_open(r->weights, &p, NULL, &r->alone, err));
    p.n_sequences = BATCH_SEQUENCES;
    for (int32_t i = 1; i < BATCH_SEQUENCES; i++)
        r->places[i] = -1; /* a context opens with sequence 0 in use */
    return ifn_context_open(r->weights, &p, NULL, &r->company, err);
}

static ifn_status open_room(const e2e_company *self, room *r, ifn_error *err)
{
    const tap_hooks hooks = {.cookie = &r->ear, .after = after, .writes_nothing = true};
    IFN_TRY(self->open(self->backend, 0, &r->backend, err));
    r->ear.lives = r->script.lives;
    IFN_TRY(conform_tap_open(r->backend, self->model, &hooks, &r->tap, err));
    return open_contexts(self, r, err);
}

static void close_room(room *r)
{
    ifn_context_close(r->company);
    ifn_context_close(r->alone);
    ifn_weights_unref(r->weights);
    ifn_backend_close(r->tap);
    ifn_backend_close(r->backend);
    for (int i = 0; i < BATCH_LIVES; i++)
        free(r->ear.tracks[i].hashes);
    free(r);
}

/* Writes the command that repeats a run into the row, unless it is too long. */
static void tell_command(const e2e_company *self, uint64_t seed, e2e_row *row)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = self->word && self->label ? open_memstream(&text, &bytes) : NULL;
    if (!to)
        return;
    fputs("inferno conform e2e ", to);
    escape_shell(self->word, to);
    fprintf(to, " --company --runs 1 --seed %llu --backend ", (unsigned long long)seed);
    escape_shell(self->label, to);
    if (fclose(to) == 0 && bytes < sizeof row->again)
        memcpy(row->again, text, bytes + 1);
    free(text);
}

/* Writes the command before the run, as the process may die in it. end_run removes it unless the run failed; the
 * command of the first failure stays. */
static void begin_run(const e2e_company *self, e2e_results *results, e2e_statistics *statistics,
                      uint64_t seed, const char *where)
{
    if (statistics->row.failed == 0)
        tell_command(self, seed, &statistics->row);
    e2e_results_begin(results, statistics, where);
}

static void end_run(e2e_results *results, e2e_statistics *statistics)
{
    e2e_results_end(results, statistics);
    if (statistics->row.failed == 0)
        statistics->row.again[0] = 0;
}

void e2e_company_run(const e2e_company *self, e2e_results *results)
{
    const e2e_way way = {.activations = self->mode.activations,
                         .kv = e2e_kv_of(self->mode.cache),
                         .is_company = true};
    e2e_statistics *const statistics = e2e_results_row(results, &way);
    room *const r = calloc(1, sizeof *r);
    ifn_error err = {.text = "out of memory"};
    ifn_status status = IFN_ERR_NOMEM;
    if (statistics && r)
        status = open_room(self, r, &err);
    const bool is_demanded = status == IFN_OK && conform_is_invariant_throughout(r->backend, 10);
    for (int64_t i = 0; statistics && i < (status == IFN_OK ? self->n : 1); i++) {
        const uint64_t seed = self->seed + (uint64_t)i;
        char where[E2E_NAME_BYTES];
        snprintf(where, sizeof where, "company, --seed %llu", (unsigned long long)seed);
        begin_run(self, results, statistics, seed, where);
        if (status == IFN_OK)
            judge_batch(self, r, statistics, is_demanded, seed, where);
        else
            e2e_statistics_fail(statistics, E2E_STATUS, "%s: %s", where, err.text);
        end_run(results, statistics);
    }
    if (r)
        close_room(r);
}
