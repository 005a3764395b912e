/*
 * Choosing the next id: greedy, or a draw from the filtered softmax.
 *
 * Candidates live in a heap, largest logit first, equal logits by index; filters take from it only
 * as many as they keep, so no filter sorts the whole vocabulary.
 */
#include "context_priv.h"

#include <math.h>
#include <stdbool.h>

#include "sized.h"

/* splitmix64 of (seed, draw). It depends on a counter, not on a state, so any single draw can be repeated. */
static uint64_t hash_draw(uint64_t seed, uint64_t draw)
{
    uint64_t z = seed * 0xd1342543de82ef95u + (draw + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double uniform(ifn_sampler *sampler)
{
    return (double)(hash_draw(sampler->how.seed, sampler->n_drawn++) >> 11) * 0x1p-53;
}

static ifn_status check_penalties(const ifn_sampling *how, ifn_error *err)
{
    if (!(how->repeat >= 0.0f) || !isfinite(how->repeat))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "repeat penalty %g, expected 0 or more",
                        (double)how->repeat);
    if (!isfinite(how->frequency) || !isfinite(how->presence))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "frequency and presence penalties %g and %g, expected finite numbers",
                        (double)how->frequency, (double)how->presence);
    return IFN_OK;
}

static ifn_status check_filters(const ifn_sampling *how, ifn_error *err)
{
    if (!(how->temperature >= 0.0f) || !isfinite(how->temperature))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "temperature %g, expected 0 or more",
                        (double)how->temperature);
    if (how->top_k < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "top_k %d, expected 0 or more", how->top_k);
    if (!(how->top_p >= 0.0f && how->top_p <= 1.0f))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "top_p %g, expected 0 .. 1", (double)how->top_p);
    if (!(how->min_p >= 0.0f && how->min_p <= 1.0f))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "min_p %g, expected 0 .. 1", (double)how->min_p);
    return IFN_OK;
}

/* `how` is the sampler's last member: its size is whatever the size that the caller states leaves for it. */
ifn_status ifn_sampler_init(ifn_sampler *self, const ifn_sampling *how, ifn_error *err)
{
    ifn_sampling own;
    ifn_sampler was = IFN_SAMPLER_INIT;
    IFN_TRY(ifn_sized_read(&was, sizeof was, self, "ifn_sampler", err));
    IFN_TRY(ifn_sized_read(&own, sizeof own, how, "ifn_sampling", err));
    IFN_TRY(check_filters(&own, err));
    IFN_TRY(check_penalties(&own, err));
    const ifn_sampler empty = IFN_SAMPLER_INIT;
    ifn_sized_write(self, &empty, sizeof empty);
    self->how.bytes = self->bytes - (uint32_t)offsetof(ifn_sampler, how);
    ifn_sized_write(&self->how, &own, sizeof own);
    return IFN_OK;
}

typedef struct heap {
    const float *logits;
    int32_t *ids; /* the n ids still in the heap, then those already taken, the latest first */
    int64_t n;
} heap;

/* True if id `a` is a better candidate than `b`. NaN counts as smaller than every number; ties go to the smaller id. */
static int comes_before(const heap *h, int32_t a, int32_t b)
{
    const float x = h->logits[a], y = h->logits[b];
    if (x > y || (isnan(y) && !isnan(x)))
        return 1;
    return !(x < y) && isnan(x) == isnan(y) && a < b;
}

static void sift_down(heap *h, int64_t at)
{
    for (;;) {
        int64_t best = at;
        for (int64_t child = 2 * at + 1; child <= 2 * at + 2 && child < h->n; child++)
            if (comes_before(h, h->ids[child], h->ids[best]))
                best = child;
        if (best == at)
            return;
        const int32_t moved = h->ids[at];
        h->ids[at] = h->ids[best];
        h->ids[best] = moved;
        at = best;
    }
}

static void heap_init(heap *h, const float *logits, int32_t *ids, int64_t n)
{
    *h = (heap){logits, ids, n};
    for (int64_t i = 0; i < n; i++)
        ids[i] = (int32_t)i;
    for (int64_t i = n / 2; i-- > 0;)
        sift_down(h, i);
}

/* Moves the first candidate past the end of the heap. */
static int32_t heap_take(heap *h)
{
    const int32_t first = h->ids[0];
    h->ids[0] = h->ids[--h->n];
    h->ids[h->n] = first;
    sift_down(h, 0);
    return first;
}

/* Candidates in descending order of logit: the i-th one taken is ids[n_vocab - 1 - i]. */
typedef struct candidates {
    heap heap;
    int64_t n_vocab;
    int64_t n; /* candidates that the filters leave */
    double max;
} candidates;

static int32_t candidate(candidates *c, int64_t i)
{
    while (c->n_vocab - c->heap.n <= i)
        heap_take(&c->heap);
    return c->heap.ids[c->n_vocab - 1 - i];
}

static double relative(const candidates *c, int32_t id, double temperature)
{
    const double w = exp(((double)c->heap.logits[id] - c->max) / temperature);
    return isnan(w) ? 0.0 : w;
}

/* Sums the weights of the first n candidates. A sum over the whole vocabulary goes by id, which needs no order. */
static double total(candidates *c, int64_t n, double temperature)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += relative(c, n == c->n_vocab ? (int32_t)i : candidate(c, i), temperature);
    return sum;
}

/* Returns how many candidates top_k, top_p and min_p leave. */
static int64_t filter(candidates *c, const ifn_sampling *how)
{
    const int64_t most = how->top_k > 0 && how->top_k < c->n_vocab ? how->top_k : c->n_vocab;
    const int by_mass = how->top_p > 0.0f && how->top_p < 1.0f;
    if (!by_mass && how->min_p == 0.0f)
        return most;
    const double enough = by_mass ? (double)how->top_p * total(c, most, 1.0) : (double)INFINITY;
    double reached = 0;
    int64_t n = 0;
    while (n < most && reached < enough) {
        const double w = relative(c, candidate(c, n), 1.0);
        if (n > 0 && w < (double)how->min_p)
            break;
        reached += w;
        n++;
    }
    return n;
}

static int32_t draw(candidates *c, ifn_sampler *sampler)
{
    const double temperature = (double)sampler->how.temperature;
    const double target = uniform(sampler) * total(c, c->n, temperature);
    double below = 0;
    for (int64_t i = 0; i + 1 < c->n; i++) {
        const int32_t id = candidate(c, i);
        below += relative(c, id, temperature);
        if (target < below)
            return id;
    }
    return candidate(c, c->n - 1);
}

static ifn_status choose_greedy(ifn_context *self, const float *logits, ifn_token *id)
{
    ifn_buffers *b = &self->b;
    ifn_context_at(self, IFN_POINT_SAMPLE);
    IFN_TRY(IFN_RUN(self, argmax_with_prob, .index = b->best_index, .value = b->best_value,
                    .x = logits, .n = self->h->n_vocab));
    return ifn_context_read(self, id, b->best_index, sizeof *id);
}

static bool is_penalised(const ifn_sampler *sampler)
{
    const ifn_sampling *const how = &sampler->how;
    const int divides = how->repeat > 0.0f && (how->repeat < 1.0f || how->repeat > 1.0f);
    const int subtracts = fabsf(how->frequency) > 0.0f || fabsf(how->presence) > 0.0f;
    return sampler->n_recent > 0 && (divides || subtracts);
}

/* How often the i-th recent id occurs among the recent ids; 0 if it also stands before i, so each counts once. */
static size_t count_recent(const ifn_sampler *sampler, size_t i)
{
    size_t n = 0;
    for (size_t j = 0; j < sampler->n_recent; j++) {
        const bool is_same = sampler->recent[j] == sampler->recent[i];
        if (is_same && j < i)
            return 0;
        n += (size_t)is_same;
    }
    return n;
}

static void penalise(const ifn_sampler *sampler, float *logits)
{
    const float repeat = sampler->how.repeat > 0.0f ? sampler->how.repeat : 1.0f;
    for (size_t i = 0; i < sampler->n_recent; i++) {
        const size_t n = count_recent(sampler, i);
        float *const logit = &logits[sampler->recent[i]];
        if (n == 0)
            continue;
        *logit = *logit > 0.0f ? *logit / repeat : *logit * repeat;
        *logit -= (float)n * sampler->how.frequency + sampler->how.presence;
    }
}

static ifn_status choose_on_host(ifn_context *self, const float *logits, ifn_sampler *sampler,
                                 ifn_token *id)
{
    candidates c = {.n_vocab = self->h->n_vocab};
    IFN_TRY(ifn_context_read(self, self->host.logits, logits,
                             (size_t)c.n_vocab * sizeof *self->host.logits));
    if (is_penalised(sampler))
        penalise(sampler, self->host.logits);
    heap_init(&c.heap, self->host.logits, self->host.order, c.n_vocab);
    c.max = (double)self->host.logits[self->host.order[0]];
    if (!isfinite(c.max)) /* no distribution to draw from: choose greedily */
        return choose_greedy(self, logits, id);
    c.n = filter(&c, &sampler->how);
    *id = sampler->how.temperature > 0.0f ? draw(&c, sampler) : candidate(&c, 0);
    return IFN_OK;
}

static ifn_status probability(ifn_context *self, const float *logits, ifn_token id, float *prob)
{
    ifn_buffers *b = &self->b;
    ifn_context_at(self, IFN_POINT_SAMPLE);
    IFN_TRY(IFN_RUN(self, softmax_rows, .out = b->probs, .x = logits, .rows = 1,
                    .cols = self->h->n_vocab));
    return ifn_context_read(self, prob, b->probs + id, sizeof *prob);
}

static ifn_status choose(ifn_context *self, const float *logits, ifn_sampler *sampler,
                         ifn_token *id, ifn_error *err)
{
    for (size_t i = 0; i < sampler->n_recent; i++)
        if (sampler->recent[i] < 0 || sampler->recent[i] >= self->h->n_vocab)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "recent id %d, expected 0 .. %d",
                            (int)sampler->recent[i], (int)self->h->n_vocab - 1);
    return sampler->how.temperature > 0.0f || is_penalised(sampler)
               ? choose_on_host(self, logits, sampler, id)
               : choose_greedy(self, logits, id);
}

ifn_status ifn_context_sequence_sample(ifn_context *self, int32_t sequence, ifn_sampler *sampler,
                                       ifn_token *id, float *prob, ifn_error *err)
{
    ifn_sampler own = IFN_SAMPLER_INIT;
    self->err = err;
    const float *const logits = ifn_kept_logits(self, sequence);
    if (!logits)
        return IFN_ERR_ARGUMENT;
    IFN_TRY(ifn_sized_read(&own, sizeof own, sampler, "ifn_sampler", err));
    IFN_TRY(ifn_sized_read(&own.how, sizeof own.how, &sampler->how, "ifn_sampling", err));
    IFN_TRY(choose(self, logits, &own, id, err));
    sampler->n_drawn = own.n_drawn;
    return prob ? probability(self, logits, *id, prob) : IFN_OK;
}

ifn_status ifn_context_sample(ifn_context *self, ifn_sampler *sampler, ifn_token *id, float *prob,
                              ifn_error *err)
{
    return ifn_context_sequence_sample(self, 0, sampler, id, prob, err);
}
