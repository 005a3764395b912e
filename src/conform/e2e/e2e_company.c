#include "e2e_company.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/batch.h>
#include <inferno/spans.h>

#include "declared.h"
#include "gen.h"
#include "tap.h"

enum {
    SEQUENCES = 6,
    STEPS = 5,
    FIRST_IDS = 8, /* of a sequence in the first step, at most */
    LATER_IDS = 5, /* and in each that follows */
    LONG_IDS = 40, /* of a long one: LONG_FROM and as many more at most */
    LONG_FROM = IFN_ATTENTION_BLOCK - 10,
    LONG_TURN = 6, /* one batch of so many has a sequence of several blocks of keys */
    ALL_IDS = LONG_FROM + LONG_IDS + (STEPS - 1) * LATER_IDS
};

/* A batch of several steps: which sequence has how many ids in each, and in which order. */
typedef struct plan {
    int32_t n; /* sequences; number i is in place slots[i] of the context */
    int64_t slots[SEQUENCES];
    int64_t order[STEPS][SEQUENCES];
    int64_t n_ids[STEPS][SEQUENCES]; /* 0: not in this step */
    ifn_token ids[SEQUENCES][ALL_IDS];
} plan;

/* A hash for each row of each output of a sequence alone, in the order in which they are made. */
typedef struct track {
    uint64_t *hashes;
    int64_t n, room, at; /* at: what the company has been compared up to */
} track;

/* Where the first difference was. */
typedef struct finding {
    ifn_op op;
    int64_t layer;
    char place[48];
    int32_t sequence;
} finding;

/* Who listens to the pass at hand, and for whom. */
typedef struct listener {
    track tracks[SEQUENCES];
    bool is_alone;
    int n_parts; /* of the pass */
    int32_t sequences[SEQUENCES];
    int64_t rows[SEQUENCES];
    int64_t n_normed; /* parts whose last row has been normed for logits */
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
    for (; n > 0; n--)
        h = (h ^ *bytes++) * 0x100000001b3u;
    return h;
}

/* Row `row` of the pass in a cache: of all heads, where part `part` has it after `before` rows. */
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
    track *const t = &self->tracks[self->sequences[part]];
    const bool is_equal = t->at < t->n && t->hashes[t->at] == hash;
    t->at++;
    self->n_compared++;
    if (is_equal || self->has_differed)
        return;
    self->has_differed = true;
    self->first = (finding){.op = call->op, .layer = o->layer, .sequence = self->sequences[part]};
    if (o->layer >= 0)
        snprintf(self->first.place, sizeof self->first.place, "blk.%lld.%s", (long long)o->layer,
                 o->point);
    else
        snprintf(self->first.place, sizeof self->first.place, "%s", o->point);
}

/* Rows [first, first + n) of an output are part `part`'s. */
static void hear_rows(listener *self, const tap_call *call, const tap_output *o, int part,
                      int64_t first, int64_t n)
{
    const ifn_kv_store_args *const store = (const ifn_kv_store_args *)(const void *)call->args;
    for (int64_t r = 0; r < n; r++) {
        const uint64_t hash = call->op == IFN_OP_KV_STORE ? hash_stored(store, o->data, part, r)
                                                          : hash_row(o, first + r);
        if (self->is_alone)
            keep(self, &self->tracks[self->sequences[part]], hash);
        else
            compare(self, part, call, o, hash);
    }
}

/* Logits are made of the last row of each part, in their order; all else of all rows. */
static void hear_output(listener *self, const tap_call *call, const tap_output *o)
{
    const int point = call->args->point;
    const bool is_last = point == IFN_POINT_OUTPUT_NORM || point == IFN_POINT_LOGITS;
    const int64_t from = point == IFN_POINT_OUTPUT_NORM ? self->n_normed : 0;
    int64_t row = 0;
    for (int part = 0; part < self->n_parts; part++) {
        if (!is_last)
            hear_rows(self, call, o, part, row, self->rows[part]);
        else if (part >= from && part < from + call->n_pos)
            hear_rows(self, call, o, part, part - from, 1);
        row += self->rows[part];
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
    plan plan;
} room;

static conform_stream draws(uint64_t seed)
{
    return conform_stream_of(seed, "company");
}

static int64_t draw(uint64_t seed, int64_t what, int64_t least, int64_t most)
{
    return conform_integer(draws(seed), (uint64_t)what, least, most);
}

static int64_t draw_ids(uint64_t seed, int32_t s, int step, bool has_long)
{
    const int64_t what = 1000 + step * SEQUENCES + s;
    if (step == 0 && has_long && s == 0)
        return LONG_FROM + draw(seed, what, 0, LONG_IDS);
    if (step == 0)
        return draw(seed, what, 0, FIRST_IDS);
    return draw(seed, what, 0, 1) ? 1 : draw(seed, 2 * what, 0, LATER_IDS);
}

/* max_pos: of the contexts; a shorter model has no long sequences. */
static void draw_plan(plan *p, uint64_t seed, int64_t n_vocab, int64_t max_pos)
{
    const bool has_long = max_pos == ALL_IDS && draw(seed, 0, 1, LONG_TURN) == 1;
    const conform_stream ids = conform_stream_of(seed, "company ids");
    p->n = (int32_t)draw(seed, 1, 2, SEQUENCES);
    conform_shuffle(draws(seed), 100, p->slots, SEQUENCES);
    for (int step = 0; step < STEPS; step++) {
        conform_shuffle(draws(seed), 200 + 20 * (uint64_t)step, p->order[step], p->n);
        for (int32_t s = 0; s < p->n; s++)
            p->n_ids[step][s] = draw_ids(seed, s, step, has_long);
    }
    for (int i = 0; i < SEQUENCES * ALL_IDS; i++)
        p->ids[i / ALL_IDS][i % ALL_IDS] =
            (ifn_token)conform_integer(ids, (uint64_t)i, 0, n_vocab - 1);
}

static void begin_pass(listener *self)
{
    self->n_parts = 0;
    self->n_normed = 0;
}

static void add_part(listener *self, int32_t sequence, int64_t rows)
{
    self->sequences[self->n_parts] = sequence;
    self->rows[self->n_parts++] = rows;
}

/* The same pieces as in company, so that nothing else differs. */
static ifn_status run_alone(room *r, int32_t s, ifn_error *err)
{
    const ifn_token *ids = r->plan.ids[s];
    track *const t = &r->ear.tracks[s];
    r->ear.is_alone = true;
    t->n = t->at = 0;
    IFN_TRY(ifn_context_rewind(r->alone, 0, err));
    for (int step = 0; step < STEPS; step++) {
        const int64_t n = r->plan.n_ids[step][s];
        if (n == 0)
            continue;
        begin_pass(&r->ear);
        add_part(&r->ear, s, n);
        IFN_TRY(ifn_context_eval(r->alone, ids, (size_t)n, err));
        ids += n;
    }
    return IFN_OK;
}

static ifn_status run_together(room *r, ifn_error *err)
{
    const plan *const p = &r->plan;
    int64_t done[SEQUENCES] = {0};
    r->ear.is_alone = false;
    for (int32_t s = 0; s < SEQUENCES; s++)
        IFN_TRY(ifn_context_sequence_cut(r->company, s, 0, err));
    for (int step = 0; step < STEPS; step++) {
        ifn_batch_part parts[SEQUENCES];
        begin_pass(&r->ear);
        for (int32_t i = 0; i < p->n; i++) {
            const int32_t s = (int32_t)p->order[step][i];
            const int64_t n = p->n_ids[step][s];
            if (n == 0)
                continue;
            parts[r->ear.n_parts] =
                (ifn_batch_part){(int32_t)p->slots[s], (size_t)n, p->ids[s] + done[s], 1, NULL};
            add_part(&r->ear, s, n);
            done[s] += n;
        }
        IFN_TRY(
            ifn_context_eval_batch(r->company, &(ifn_batch){(size_t)r->ear.n_parts, parts}, err));
    }
    return IFN_OK;
}

static ifn_status run_batch(room *r, ifn_error *err)
{
    r->ear.has_differed = false;
    r->ear.n_compared = 0;
    for (int32_t s = 0; s < r->plan.n; s++)
        IFN_TRY(run_alone(r, s, err));
    IFN_TRY(run_together(r, err));
    return r->ear.has_no_memory ? ifn_fail(err, IFN_ERR_NOMEM, "out of memory for hashes") : IFN_OK;
}

static void judge_batch(const e2e_company *self, room *r, e2e_statistics *statistics,
                        bool is_demanded, uint64_t seed)
{
    const finding *const f = &r->ear.first;
    char where[E2E_NAME_BYTES];
    ifn_error err = {0};
    snprintf(where, sizeof where, "company, --seed %llu", (unsigned long long)seed);
    draw_plan(&r->plan, seed, ifn_model_hparams(self->model)->n_vocab,
              ifn_context_max_position(r->alone));
    if (run_batch(r, &err) != IFN_OK) {
        e2e_statistics_fail(statistics, E2E_STATUS, "%s: %s", where, err.text);
        return;
    }
    statistics->row.steps += r->ear.n_compared;
    if (is_demanded && r->ear.has_differed)
        e2e_statistics_fail(
            statistics, E2E_UNEQUAL,
            "%s: R10: %s (op %s) of sequence %d is not what it is alone, of %d sequences", where,
            f->place, ifn_op_name(f->op), (int)f->sequence, (int)r->plan.n);
    e2e_statistics_relation(statistics, !r->ear.has_differed, is_demanded, where);
}

static ifn_status open_contexts(const e2e_company *self, room *r, ifn_error *err)
{
    const int64_t most = ifn_model_hparams(self->model)->n_ctx_train;
    ifn_context_params p =
        IFN_SIZED(ifn_context_params, .max_pos = ALL_IDS, .activations = self->mode.activations,
                  .kv = e2e_kv_of(self->mode.cache));
    if (most > 0 && most < ALL_IDS)
        p.max_pos = FIRST_IDS + (STEPS - 1) * LATER_IDS;
    p.max_rows = SEQUENCES * p.max_pos; /* a step is one pass */
    IFN_TRY(ifn_weights_open(self->model, r->tap, ifn_context_uses(self->model, &p), NULL, NULL,
                             &r->weights, err));
    IFN_TRY(ifn_context_open(r->weights, &p, NULL, &r->alone, err));
    p.n_sequences = SEQUENCES;
    IFN_TRY(ifn_context_open(r->weights, &p, NULL, &r->company, err));
    for (int32_t i = 1, s; i < SEQUENCES; i++)
        IFN_TRY(ifn_context_sequence_add(r->company, &s, err));
    return IFN_OK;
}

static ifn_status open_room(const e2e_company *self, room *r, ifn_error *err)
{
    const tap_hooks hooks = {.cookie = &r->ear, .after = after};
    IFN_TRY(self->open(self->backend, 0, &r->backend, err));
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
    for (int i = 0; i < SEQUENCES; i++)
        free(r->ear.tracks[i].hashes);
    free(r);
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
        e2e_results_begin(results, statistics, "company");
        if (status == IFN_OK)
            judge_batch(self, r, statistics, is_demanded, self->seed + (uint64_t)i);
        else
            e2e_statistics_fail(statistics, E2E_STATUS, "company: %s", err.text);
        e2e_results_end(results, statistics);
    }
    if (r)
        close_room(r);
}
