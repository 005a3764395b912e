#include "road.h"

#include <math.h>
#include <string.h>

#include "context_priv.h"

enum { N_VOCAB = 61 };

/* Opens a road and replaces its last logits by these. */
static road road_with(const float *logits)
{
    const tiny_model m = tiny_default("qwen3");
    const ifn_context_params p = road_params();
    road r = road_open(&m, &p);
    road_eval(&r, (const ifn_token[]){1}, 1);
    memcpy(r.context->b.logits, logits, N_VOCAB * sizeof *logits);
    return r;
}

static void slope(float *logits)
{
    for (int i = 0; i < N_VOCAB; i++)
        logits[i] = -0.25f * (float)((i * 17) % N_VOCAB);
}

static ifn_token sample(road *r, ifn_sampler *s, float *prob)
{
    ifn_token id;
    ifn_error err = {0};
    assert_ok(ifn_context_sample(r->context, s, &id, prob, &err), err);
    assert_in_range(id, 0, N_VOCAB - 1);
    return id;
}

static ifn_sampler sampler(ifn_sampling how)
{
    ifn_sampler s = IFN_SAMPLER_INIT;
    ifn_error err = {0};
    how.bytes = sizeof how;
    assert_ok(ifn_sampler_init(&s, &how, &err), err);
    return s;
}

TEST(greedy_takes_the_lowest_of_equal_maxima)
{
    float logits[N_VOCAB];
    slope(logits);
    logits[40] = logits[7] = 3.0f;
    road r = road_with(logits);
    float prob;
    assert_int_equal(road_greedy(&r, &prob), 7);
    double z = 0;
    for (int i = 0; i < N_VOCAB; i++)
        z += exp((double)logits[i] - 3.0);
    /* softmax_rows: at most (n + 10) u relative */
    assert_true(fabs((double)prob - 1.0 / z) <= 71 * 0x1p-24 / z);
    road_close(&r);
}

/* Works out in f64 the softmax that temperature and filters prescribe. */
static void expected(const float *logits, const ifn_sampling *how, double *p)
{
    double keep[N_VOCAB], z = 0;
    int order[N_VOCAB];
    for (int i = 0; i < N_VOCAB; i++)
        order[i] = i;
    for (int i = 0; i < N_VOCAB; i++)
        for (int j = i + 1; j < N_VOCAB; j++)
            if (logits[order[j]] > logits[order[i]]) {
                const int t = order[i];
                order[i] = order[j];
                order[j] = t;
            }
    int n = how->top_k && how->top_k < N_VOCAB ? how->top_k : N_VOCAB;
    for (int i = 0; i < n; i++)
        z += exp((double)logits[order[i]] - (double)logits[order[0]]);
    if (how->top_p > 0 && how->top_p < 1) {
        double reached = 0;
        int m = 0;
        while (m < n && reached < (double)how->top_p)
            reached += exp((double)logits[order[m++]] - (double)logits[order[0]]) / z;
        n = m;
    }
    if (how->min_p > 0)
        while (n > 1 &&
               exp((double)logits[order[n - 1]] - (double)logits[order[0]]) < (double)how->min_p)
            n--;
    z = 0;
    memset(keep, 0, sizeof keep);
    for (int i = 0; i < n; i++) {
        keep[order[i]] = exp((double)logits[order[i]] / (double)how->temperature);
        z += keep[order[i]];
    }
    for (int i = 0; i < N_VOCAB; i++)
        p[i] = keep[i] / z;
}

/* Pearson's chi-square test; bins with fewer than 5 expected draws are joined. */
static void assert_distribution(const ifn_sampling *how)
{
    enum { N_DRAWS = 20000 };
    float logits[N_VOCAB];
    double p[N_VOCAB];
    int counts[N_VOCAB] = {0};
    slope(logits);
    expected(logits, how, p);
    road r = road_with(logits);
    ifn_sampler s = sampler(*how);
    for (int i = 0; i < N_DRAWS; i++)
        counts[sample(&r, &s, NULL)]++;
    road_close(&r);
    double chi2 = 0, rest = 0, rest_count = 0;
    int bins = 0;
    for (int i = 0; i < N_VOCAB; i++) {
        const double want = p[i] * N_DRAWS;
        assert_that(p[i] > 0 || counts[i] == 0, "id %d was filtered out and drawn", i);
        if (want < 5) {
            rest += want;
            rest_count += counts[i];
            continue;
        }
        chi2 += (counts[i] - want) * (counts[i] - want) / want;
        bins++;
    }
    if (rest >= 5) {
        chi2 += (rest_count - rest) * (rest_count - rest) / rest;
        bins++;
    }
    /* Wilson-Hilferty: 5 standard deviations above the mean, about 3e-7 by chance. */
    const double k = bins > 1 ? bins - 1 : 1, cut = 1 - 2 / (9 * k) + 5 * sqrt(2 / (9 * k));
    assert_that(chi2 <= k * cut * cut * cut, "chi-square %g over %d bins", chi2, bins);
}

TEST(draws_follow_the_softmax_they_claim)
{
    static const ifn_sampling ways[] = {
        {.temperature = 1.0f, .seed = 1},
        {.temperature = 0.5f, .seed = 2},
        {.temperature = 1.7f, .top_k = 9, .seed = 3},
        {.temperature = 1.0f, .top_p = 0.8f, .seed = 4},
        {.temperature = 1.0f, .min_p = 0.1f, .seed = 5},
        {.temperature = 0.9f, .top_k = 20, .top_p = 0.9f, .min_p = 0.05f, .seed = 6},
    };
    for (size_t i = 0; i < N_OF(ways); i++)
        assert_distribution(&ways[i]);
}

TEST(the_same_seed_draws_the_same_ids)
{
    float logits[N_VOCAB];
    slope(logits);
    road r = road_with(logits);
    const ifn_sampling how = IFN_SIZED(ifn_sampling, .temperature = 1.5f, .seed = 42);
    ifn_sampler a = sampler(how), b = sampler(how),
                c = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.5f, .seed = 43));
    int differ = 0;
    for (int i = 0; i < 200; i++) {
        const ifn_token id = sample(&r, &a, NULL);
        assert_int_equal(id, sample(&r, &b, NULL));
        differ += id != sample(&r, &c, NULL);
    }
    assert_true(differ > 50);
    road_close(&r);
}

TEST(filters_that_leave_all_change_nothing)
{
    float logits[N_VOCAB];
    slope(logits);
    road r = road_with(logits);
    ifn_sampler plain = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .seed = 7));
    ifn_sampler most =
        sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .top_k = 1000, .seed = 7));
    ifn_sampler whole =
        sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .top_p = 1.0f, .seed = 7));
    for (int i = 0; i < 100; i++) {
        const ifn_token id = sample(&r, &plain, NULL);
        assert_int_equal(sample(&r, &most, NULL), id);
        assert_int_equal(sample(&r, &whole, NULL), id);
    }
    road_close(&r);
}

TEST(filters_that_leave_one_are_greedy)
{
    float logits[N_VOCAB];
    slope(logits);
    logits[33] = 5.0f;
    road r = road_with(logits);
    static const ifn_sampling ways[] = {{.temperature = 1.0f, .top_k = 1},
                                        {.temperature = 1.0f, .top_p = 1e-6f},
                                        {.temperature = 1.0f, .min_p = 1.0f},
                                        {.temperature = 1e-6f}};
    for (size_t i = 0; i < N_OF(ways); i++) {
        ifn_sampler s = sampler(ways[i]);
        for (int n = 0; n < 50; n++)
            assert_int_equal(sample(&r, &s, NULL), 33);
    }
    road_close(&r);
}

/* Equal logits are ordered by their ids, and a filter cuts between them in that order. */
TEST(ties_are_ordered_by_id)
{
    float logits[N_VOCAB];
    slope(logits);
    logits[50] = logits[8] = logits[23] = 2.0f;
    road r = road_with(logits);
    ifn_sampler one = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .top_k = 1));
    ifn_sampler two = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .top_k = 2));
    ifn_sampler all = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .min_p = 1.0f));
    int seen[N_VOCAB] = {0};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(sample(&r, &one, NULL), 8);
        const ifn_token second = sample(&r, &two, NULL);
        assert_true(second == 8 || second == 23);
        seen[sample(&r, &all, NULL)]++;
    }
    assert_true(seen[8] > 0 && seen[23] > 0 && seen[50] > 0);
    assert_int_equal(seen[8] + seen[23] + seen[50], 100);
    road_close(&r);
}

TEST(logits_without_numbers_still_give_an_id)
{
    float logits[N_VOCAB];
    for (int i = 0; i < N_VOCAB; i++)
        logits[i] = NAN;
    road r = road_with(logits);
    ifn_sampler s = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f));
    assert_int_equal(sample(&r, &s, NULL), 0);
    r.context->b.logits[5] = -1.0f;
    r.context->b.logits[9] = -INFINITY;
    for (int i = 0; i < 20; i++)
        assert_int_equal(sample(&r, &s, NULL), 5);
    r.context->b.logits[50] = INFINITY;
    assert_int_equal(sample(&r, &s, NULL), 50);
    road_close(&r);
}

static void assert_refused(ifn_sampling how)
{
    ifn_sampler s = IFN_SAMPLER_INIT;
    ifn_error err = {0};
    how.bytes = sizeof how;
    assert_int_equal(ifn_sampler_init(&s, &how, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "expected"));
}

/* `how` is the last member of a sampler, so a program that knows fewer settings has a shorter sampler. */
TEST(samplers_are_as_long_as_they_say)
{
    enum { SHORT = offsetof(ifn_sampling, frequency) };
    float logits[N_VOCAB];
    slope(logits);
    road r = road_with(logits);
    ifn_sampling how = {.bytes = SHORT, .temperature = 1.0f, .seed = 7, .frequency = NAN};
    ifn_sampler shorter = IFN_SAMPLER_INIT, none = {0};
    ifn_sampler whole = sampler(IFN_SIZED(ifn_sampling, .temperature = 1.0f, .seed = 7));
    ifn_error err = {0};
    ifn_token id;
    shorter.bytes = offsetof(ifn_sampler, how) + SHORT;
    shorter.how.frequency = 5; /* beyond the sampler's bytes */
    assert_ok(ifn_sampler_init(&shorter, &how, &err), err);
    assert_true(shorter.how.frequency > 4);
    for (int i = 0; i < 20; i++)
        assert_int_equal(sample(&r, &shorter, NULL), sample(&r, &whole, NULL));
    assert_int_equal(shorter.n_drawn, 20);
    assert_int_equal(ifn_sampler_init(&none, &how, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_context_sample(r.context, &none, &id, NULL, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "ifn_sampler: bytes 0"));
    road_close(&r);
}

TEST(parameters_out_of_range_are_refused)
{
    static const ifn_sampling bad[] = {
        {.temperature = -1.0f}, {.temperature = INFINITY}, {.top_k = -1},  {.top_p = 1.5f},
        {.top_p = NAN},         {.min_p = -0.1f},          {.min_p = 1.5f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_refused(bad[i]);
}

/* Worked out by hand: logits are 2, 1.5, -1, -1.25, and the rest are far below. */
TEST(repeated_ids_are_penalised)
{
    static const struct {
        ifn_sampling how;
        ifn_token recent[3], expected;
    } cases[] = {
        {{.repeat = 1.0f}, {0, 0, 0}, 0},                   /* none */
        {{.repeat = 2.0f}, {0, 5, 6}, 1},                   /* 2 / 2 < 1.5 */
        {{.repeat = 1.25f}, {0, 5, 6}, 0},                  /* 2 / 1.25 > 1.5 */
        {{.presence = 0.625f}, {0, 0, 0}, 1},               /* 2 - 0.625 < 1.5 */
        {{.frequency = 0.25f}, {0, 0, 6}, 0},               /* 2 - 2 / 4, a tie: the lowest */
        {{.frequency = 0.25f}, {0, 0, 0}, 1},               /* 2 - 3 / 4 */
        {{.presence = -1.0f}, {1, 1, 1}, 1},                /* 1.5 + 1 */
        {{.repeat = 2.0f, .presence = 2.0f}, {0, 1, 2}, 0}, /* -1, -1.25, -4; -1.25 is id 3 */
    };
    float logits[N_VOCAB];
    for (int i = 0; i < N_VOCAB; i++)
        logits[i] = -50.0f;
    memcpy(logits, (const float[]){2.0f, 1.5f, -1.0f, -1.25f}, 4 * sizeof *logits);
    road r = road_with(logits);
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_sampler s = sampler(cases[i].how);
        s.recent = cases[i].recent;
        s.n_recent = 3;
        assert_int_equal(sample(&r, &s, NULL), cases[i].expected);
    }
    road_close(&r);
}

TEST(a_penalised_logit_below_zero_gets_worse)
{
    float logits[N_VOCAB];
    for (int i = 0; i < N_VOCAB; i++)
        logits[i] = -3.0f;
    logits[9] = -1.0f;
    road r = road_with(logits);
    ifn_sampler s =
        sampler(IFN_SIZED(ifn_sampling, .repeat = 4.0f, .temperature = 0.01f, .seed = 1));
    const ifn_token recent[] = {9};
    s.recent = recent;
    s.n_recent = 1;
    for (int i = 0; i < 20; i++)
        assert_int_not_equal(sample(&r, &s, NULL), 9); /* -1 times 4 */
    road_close(&r);
}

TEST(penalties_that_are_no_numbers_are_refused)
{
    static const ifn_sampling bad[] = {
        {.repeat = -1.0f}, {.repeat = NAN}, {.frequency = INFINITY}, {.presence = NAN}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_refused(bad[i]);
}

TEST(recent_ids_outside_the_vocabulary_are_refused)
{
    float logits[N_VOCAB];
    slope(logits);
    road r = road_with(logits);
    static const ifn_token bad[] = {-1, N_VOCAB};
    ifn_error err = {0};
    ifn_token id;
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_sampler s = sampler(IFN_SIZED(ifn_sampling, .repeat = 2.0f));
        s.recent = &bad[i];
        s.n_recent = 1;
        assert_int_equal(ifn_context_sample(r.context, &s, &id, NULL, &err), IFN_ERR_ARGUMENT);
        assert_non_null(strstr(err.text, "recent id"));
    }
    road_close(&r);
}
