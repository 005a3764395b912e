#include "e2e_trial.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#include "e2e_long.h"
#include "e2e_replay.h"
#include "gen.h"

/* The most bytes of f32 copies of weights that the primitive graph may make. */
#define MOST_COPIES (UINT64_C(2) << 30)
/* The most ids to generate without a cache, as every step then recomputes all positions before it. */
enum { MOST_WITHOUT_CACHE = 4 };

/* Groups of ways that must give equal bits: within one they differ only in whether there is a cache. */
enum { SLOT_FUSED, SLOT_PRIMITIVE, SLOT_FREE, N_SLOTS };

typedef struct run {
    const e2e_trial *trial;
    const e2e_truth *truth;
    e2e_results *results;
    ifn_backend *backend;
    e2e_engine engine;
    e2e_statistics *statistics;
    float *logits; /* [n, n_vocab] */
    /* Logits of the first run of each slot, in one chunk; later runs are compared with them bit for bit. */
    float *whole[N_SLOTS];
    bool has_whole[N_SLOTS];
    ifn_token *chosen; /* [n] */
} run;

static int64_t n_logits(const run *r)
{
    return r->truth->n * r->truth->n_vocab;
}

static int slot_of(const run *r)
{
    const e2e_way *const way = &r->engine.way;
    return way->graph == IFN_GRAPH_PRIMITIVE        ? SLOT_PRIMITIVE
           : r->truth->is_narrow && !way->is_forced ? SLOT_FREE
                                                    : SLOT_FUSED;
}

static e2e_want want_of(const run *r, int64_t position)
{
    const e2e_truth *const t = r->truth;
    const bool is_free = slot_of(r) == SLOT_FREE;
    return (e2e_want){t->logits + position * t->n_vocab, t->n_vocab,
                      is_free ? t->sigma_q : t->sigma[position], !is_free};
}

/* Returns whether two runs in different chunks must have equal bits: if the backend declares R2 and R3, and R1 for
 * other thread counts. Chunks regroup the rows of every op and the rows that go through the cache. Not in the
 * primitive graph: there chunks also change the length of sums over keys (masked keys are zeros), and a sum whose
 * order depends on its length may give other bits. */
static bool is_demanded(const run *r, int32_t n_threads)
{
    return slot_of(r) != SLOT_PRIMITIVE && conform_is_invariant_throughout(r->backend, 2) &&
           conform_is_invariant_throughout(r->backend, 3) &&
           (!n_threads || conform_is_invariant_throughout(r->backend, 1));
}

static void judge_all(run *r, const char *where)
{
    for (int64_t i = 0; i < r->truth->n; i++) {
        const e2e_want want = want_of(r, i);
        const e2e_step step = e2e_judge_step(&want, r->logits + i * want.n_vocab);
        e2e_statistics_step(r->statistics, &step, i, where);
    }
}

static void compare_bits(run *r, int demanded, const char *where)
{
    const int slot = slot_of(r);
    const size_t bytes = (size_t)n_logits(r) * sizeof(float);
    if (r->has_whole[slot])
        e2e_statistics_relation(r->statistics, memcmp(r->logits, r->whole[slot], bytes) == 0,
                                demanded, where);
    else
        memcpy(r->whole[slot], r->logits, bytes);
    r->has_whole[slot] = true;
}

/* Both graphs lie within 8 sigma of the truth, so they must lie within 16 sigma of each other (11.6). */
static void compare_graphs(run *r, const char *where)
{
    const e2e_truth *const t = r->truth;
    if (slot_of(r) != SLOT_PRIMITIVE || !r->has_whole[SLOT_FUSED])
        return;
    for (int64_t i = 0; i < n_logits(r); i++) {
        const double d = fabs((double)r->logits[i] - (double)r->whole[SLOT_FUSED][i]);
        const double allowed = 2 * E2E_SIGMAS * t->sigma[i / t->n_vocab];
        if (d <= allowed)
            continue;
        e2e_statistics_fail(
            r->statistics, E2E_UNEQUAL,
            "%s, step %lld: %.3e from the fused graph, expected at most %.3e (16 sigma)", where,
            (long long)(i / t->n_vocab), d, allowed);
        return;
    }
}

static void begin(run *r, const e2e_chunks *chunks, int32_t n_threads, const char *where)
{
    e2e_again *const now = &r->results->now;
    *now = (e2e_again){.way = r->engine.way, .n_chunks = chunks->n, .n_threads = n_threads};
    for (int64_t i = 0; i < chunks->n; i++)
        now->chunks[i] = chunks->sizes[i];
    e2e_results_begin(r->results, r->statistics, where);
}

static void run_chunks(run *r, const e2e_chunks *chunks, const char *how, int32_t n_threads)
{
    char where[E2E_NAME_BYTES];
    ifn_error err = {0};
    snprintf(where, sizeof where, "%s, %s", r->truth->name, how);
    begin(r, chunks, n_threads, where);
    r->engine.forced.worst = 0;
    if (e2e_engine_run(&r->engine, r->truth->ids, r->truth->n, chunks, r->logits, &err) == IFN_OK) {
        judge_all(r, where);
        compare_bits(r, is_demanded(r, n_threads), where);
        compare_graphs(r, where);
        e2e_statistics_codes(r->statistics, &r->engine.forced, r->truth->most_steps,
                             r->engine.way.is_forced, where);
    } else {
        e2e_statistics_fail(r->statistics, E2E_STATUS, "%s: %s", where, err.text);
    }
    e2e_results_end(r->results, r->statistics);
}

/* Each token that the engine chooses must be the argmax of its own logits and, by numerics 11.3, that of the truth. */
static void judge_choices(run *r, int64_t n_done, const char *where)
{
    const e2e_truth *const t = r->truth;
    const float *const whole = r->whole[slot_of(r)];
    for (int64_t i = 0; i < n_done; i++) {
        const int64_t position = t->n_prompt - 1 + i;
        const e2e_want want = want_of(r, position);
        e2e_step step = e2e_judge_step(&want, r->logits + i * t->n_vocab);
        if (step.check == E2E_FINE && step.got != r->chosen[i])
            step.check = E2E_DECISION;
        step.got = r->chosen[i];
        e2e_statistics_step(r->statistics, &step, position, where);
    }
    if (n_done > 0 && r->has_whole[slot_of(r)])
        e2e_statistics_relation(r->statistics,
                                memcmp(r->logits, whole + (t->n_prompt - 1) * t->n_vocab,
                                       (size_t)(n_done * t->n_vocab) * sizeof(float)) == 0,
                                is_demanded(r, 0), where);
}

static void run_freely(run *r)
{
    const e2e_truth *const t = r->truth;
    int64_t n_new = t->n - t->n_prompt, n_done = 0;
    char where[E2E_NAME_BYTES];
    ifn_error err = {0};
    if (r->engine.way.kv == IFN_KV_OFF && n_new > MOST_WITHOUT_CACHE)
        n_new = MOST_WITHOUT_CACHE;
    if (n_new == 0)
        return;
    snprintf(where, sizeof where, "%s, greedily", t->name);
    begin(r, &(e2e_chunks){(const int64_t[]){t->n_prompt, 1}, 2}, 0, where);
    const ifn_status status = e2e_engine_generate(&r->engine, t->ids, t->n_prompt, n_new, t->ids,
                                                  r->chosen, r->logits, &n_done, &err);
    judge_choices(r, n_done, where);
    if (status != IFN_OK)
        e2e_statistics_fail(r->statistics, E2E_STATUS, "%s: %s", where, err.text);
    e2e_results_end(r->results, r->statistics);
}

/* Draws chunk sizes of about a third of what is left, on average. */
static e2e_chunks random_chunks(const run *r, uint64_t index, int64_t sizes[E2E_MAX_CHUNKS],
                                char *how, size_t bytes)
{
    const conform_stream s =
        conform_stream_of(conform_hash(r->trial->seed, r->truth->name, index), "chunks");
    int n = 0;
    size_t used = (size_t)snprintf(how, bytes, "chunks");
    for (int64_t left = r->truth->n; left > 0 && n < E2E_MAX_CHUNKS; n++) {
        sizes[n] = conform_integer(s, (uint64_t)n, 1, left > 2 ? 2 * left / 3 : left);
        left -= sizes[n];
        if (used < bytes)
            used += (size_t)snprintf(how + used, bytes - used, n ? "+%lld" : " %lld",
                                     (long long)sizes[n]);
    }
    assert(n > 0); /* a truth has ids */
    sizes[n - 1] = n == E2E_MAX_CHUNKS ? 0 : sizes[n - 1];
    return (e2e_chunks){sizes, n};
}

/* Counts a backend or model that cannot be opened as a failed run. */
static void fail_to_open(run *r, const e2e_way *way, const ifn_error *err)
{
    r->statistics = e2e_results_row(r->results, way);
    if (!r->statistics)
        return;
    r->engine.way = *way;
    begin(r, &(e2e_chunks){NULL, 0}, 0, r->truth->name);
    e2e_statistics_fail(r->statistics, E2E_STATUS, "%s: %s", r->truth->name, err->text);
    e2e_results_end(r->results, r->statistics);
}

static int open_engine(run *r, const e2e_way *way)
{
    ifn_error err = {0};
    r->statistics = e2e_results_row(r->results, way);
    if (r->statistics && e2e_engine_open(&r->engine, r->truth->model, r->backend, way,
                                         &r->truth->codes, &err) == IFN_OK)
        return 1;
    e2e_engine_close(&r->engine);
    fail_to_open(r, way, &err);
    return 0;
}

/* Notes in the row of a way why it was not run; the row does not fail. */
static void leave_out(run *r, const e2e_way *way, const char *why)
{
    e2e_statistics *const statistics = e2e_results_row(r->results, way);
    if (statistics && !statistics->row.runs)
        e2e_statistics_note(statistics, "not run: %s", why);
}

/* Returns true, and leaves the way out, if the primitive graph would copy more than MOST_COPIES bytes of weights. */
static bool is_too_large(run *r, const e2e_way *way)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = 1, .graph = way->graph, .kv = way->kv);
    char why[120];
    ifn_plan plan = IFN_PLAN_INIT;
    if (way->graph != IFN_GRAPH_PRIMITIVE ||
        ifn_context_plan(r->truth->model, r->backend, &params, &plan, NULL) != IFN_OK ||
        plan.f32_weight_bytes <= MOST_COPIES)
        return false;
    snprintf(why, sizeof why, "%llu bytes of f32 weights, at most %llu are taken",
             (unsigned long long)plan.f32_weight_bytes, (unsigned long long)MOST_COPIES);
    leave_out(r, way, why);
    return true;
}

/* Leaves out the ways for which this truth has no noise floor. */
static void leave_out_unfit(run *r)
{
    const e2e_truth *const t = r->truth;
    e2e_way way = {.activations = t->mode.activations, .kv = e2e_kv_of(t->mode.cache)};
    if (t->is_narrow && !t->has_free)
        leave_out(r, &way, "free runs of so large a model are calibrated by a longer --profile");
    way.is_forced = t->is_narrow;
    if (!t->has_floor)
        leave_out(r, &way, "too few variants of the arithmetic differ on so small a model");
}

static void run_way(run *r, const e2e_way *way, uint64_t index)
{
    static const int64_t one = 1;
    const e2e_chunks whole = {NULL, 0}, single = {&one, 1};
    int64_t sizes[E2E_MAX_CHUNKS];
    char how[40];
    if (is_too_large(r, way) || !open_engine(r, way))
        return;
    run_chunks(r, &whole, "whole", 0);
    if (way->kv != IFN_KV_OFF)
        run_chunks(r, &single, "one by one", 0);
    const e2e_chunks random = random_chunks(r, index, sizes, how, sizeof how);
    run_chunks(r, &random, how, 0);
    if (!way->is_forced)
        run_freely(r);
    e2e_engine_close(&r->engine);
}

static int reopen(run *r, const e2e_way *way, int32_t n_threads)
{
    ifn_error err = {0};
    ifn_backend_close(r->backend);
    r->backend = NULL;
    if (r->trial->open(r->trial->backend, n_threads, &r->backend, &err) == IFN_OK)
        return 1;
    fail_to_open(r, way, &err);
    return 0;
}

/* Makes extra runs with one thread, then with random thread counts; bits must not depend on them. */
static void run_more(run *r, const e2e_way *ways, int n_ways)
{
    const conform_stream s = conform_stream_of(r->trial->seed, "threads");
    for (int64_t i = 0; i < r->trial->n_more; i++) {
        const int32_t n_threads =
            i == 0 ? 1 : (int32_t)conform_integer(s, (uint64_t)i, 1, E2E_MAX_THREADS);
        const e2e_way *const way = &ways[i % n_ways];
        int64_t sizes[E2E_MAX_CHUNKS];
        char chunks[28], how[48];
        if (is_too_large(r, way))
            continue;
        if (!reopen(r, way, n_threads) || !open_engine(r, way))
            return;
        const e2e_chunks random = random_chunks(r, (uint64_t)i + 100, sizes, chunks, sizeof chunks);
        snprintf(how, sizeof how, "%d threads, %s", (int)n_threads, chunks);
        run_chunks(r, &random, how, n_threads);
        e2e_engine_close(&r->engine);
    }
}

static int take_room(run *r)
{
    const size_t bytes = (size_t)n_logits(r) * sizeof(float) + 1;
    bool is_there = (r->logits = malloc(bytes)) != NULL;
    for (int i = 0; i < N_SLOTS; i++)
        is_there &= (r->whole[i] = malloc(bytes)) != NULL;
    return (r->chosen = malloc((size_t)r->truth->n * sizeof *r->chosen + 1)) && is_there;
}

static void run_short(const e2e_trial *self, e2e_results *results)
{
    run r = {.trial = self, .truth = self->truth, .results = results};
    e2e_way ways[E2E_MAX_WAYS];
    const int n_ways = e2e_trial_ways(self->truth, ways);
    ifn_error err = {0};
    ifn_status status = take_room(&r) ? IFN_OK : ifn_fail(&err, IFN_ERR_NOMEM, "out of memory");
    if (status == IFN_OK)
        status = self->open(self->backend, 0, &r.backend, &err);
    if (status == IFN_OK) {
        for (int w = 0; w < n_ways; w++)
            run_way(&r, &ways[w], (uint64_t)w);
        leave_out_unfit(&r);
        if (n_ways > 0)
            run_more(&r, ways, n_ways);
    } else {
        fail_to_open(&r, &ways[0], &err);
    }
    ifn_backend_close(r.backend);
    for (int i = 0; i < N_SLOTS; i++)
        free(r.whole[i]);
    free(r.logits);
    free(r.chosen);
}

void e2e_trial_run(const e2e_trial *self, e2e_results *results)
{
    if (self->truth->cuts.n)
        e2e_long_run(self, results);
    else
        run_short(self, results);
    if (self->truth->declared && !self->truth->cuts.n)
        e2e_replay_run(self, results);
}
