/*
 * Why the bounds are what they are: which real faults in a 64-row matrix-vector product the usual rules for comparing
 * kernels see, and which the three tiers see. The test prints the table and asserts the claims of spec/conformance.md
 * about it, each rate within four standard deviations.
 *
 *   nmse     sum (got - want)^2 <= 5e-4 sum want^2, over the whole tensor
 *   fixed    |got - want| <= 1e-5 + 1.3e-6 |want|
 *   gamma_k  |got - want| <= k u / (1 - k u) * sum |a b|
 *   tiers    T0, T1 and T2 of the module matmul
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "case_call.h"
#include "case_pool.h"
#include "compare.h"
#include "gen.h"
#include "module.h"
#include "test.h"

enum { ROWS = 64, MOST_K = 4099, TRIALS = 200 };

typedef enum fault { CORRECT, DROPPED, F16_SUMS, FAULTS } fault;

static const char *const fault_names[] = {"correct", "dropped", "f16 sums"};

/* A kernel in plain f32 with a fault. The trial chooses the row and the term that is dropped. */
typedef struct kernel {
    fault fault;
    int64_t row, term;
} kernel;

/* Rounds to 11 significant bits (Veltkamp's split), with the range of f16. */
static float round_to_f16(float x)
{
    const float scaled = x * 8193.0f, rounded = scaled - (scaled - x);
    return fabsf(rounded) > 65504.0f ? copysignf(INFINITY, x) : rounded;
}

static void multiply(const kernel *how, const float *a, const float *b, int64_t k, float *out)
{
    for (int64_t i = 0; i < ROWS; i++) {
        float sum = 0.0f;
        for (int64_t j = 0; j < k; j++) {
            if (how->fault == DROPPED && i == how->row && j == how->term)
                continue;
            sum += a[i * k + j] * b[j];
            if (how->fault == F16_SUMS)
                sum = round_to_f16(sum);
        }
        out[i] = sum;
    }
}

typedef struct data {
    float a[ROWS * MOST_K], b[MOST_K];
} data;

/* Fills the inputs as the usual suites do: uniform in [-1, 1]. */
static void fill_uniform(data *d, int64_t k, uint64_t seed)
{
    const conform_stream s = conform_stream_of(seed, "uniform");
    for (int64_t i = 0; i < ROWS * k; i++)
        d->a[i] = (float)(2 * conform_uniform(s, (uint64_t)i) - 1);
    for (int64_t i = 0; i < k; i++)
        d->b[i] = (float)(2 * conform_uniform(s, (uint64_t)(ROWS * MOST_K + i)) - 1);
}

static void fill_normal(data *d, int64_t k, uint64_t seed)
{
    const conform_stream s = conform_stream_of(seed, "normal");
    for (int64_t i = 0; i < ROWS * k; i++)
        d->a[i] = conform_normal(s, (uint64_t)i);
    for (int64_t i = 0; i < k; i++)
        d->b[i] = conform_normal(s, (uint64_t)(ROWS * MOST_K + i));
}

/* Exact results, and the sums of the absolute terms. */
typedef struct exact {
    double want[ROWS], magnitude[ROWS];
} exact;

static exact exact_of(const data *d, int64_t k)
{
    exact e = {{0}, {0}};
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < k; j++) {
            const double term = (double)d->a[i * k + j] * (double)d->b[j];
            e.want[i] += term;
            e.magnitude[i] += fabs(term);
        }
    }
    return e;
}

static int nmse_accepts(const exact *e, const float *got)
{
    double errors = 0, squares = 0;
    for (int i = 0; i < ROWS; i++) {
        errors += ((double)got[i] - e->want[i]) * ((double)got[i] - e->want[i]);
        squares += e->want[i] * e->want[i];
    }
    return errors <= 5e-4 * squares;
}

static int fixed_accepts(const exact *e, const float *got)
{
    for (int i = 0; i < ROWS; i++)
        if (!(fabs((double)got[i] - e->want[i]) <= 1e-5 + 1.3e-6 * fabs(e->want[i])))
            return 0;
    return 1;
}

static int gamma_accepts(const exact *e, const float *got, int64_t k)
{
    for (int i = 0; i < ROWS; i++)
        if (!(fabs((double)got[i] - e->want[i]) <= conform_gamma((double)k) * e->magnitude[i]))
            return 0;
    return 1;
}

typedef enum rule { NMSE, FIXED, GAMMA, GAMMA_NORMAL, T0, T1, T2, ALL_TIERS, RULES } rule;

static const char *const rule_names[] = {
    "nmse 5e-4", "fixed 1.3e-6 + 1e-5", "gamma_k, uniform data", "gamma_k, normal data", "T0", "T1",
    "T2",        "T0 + T1 + T2"};

/* One trial, and which rule accepts which kernel. */
typedef struct trial {
    int64_t k;
    kernel kernels[FAULTS];
    int accepts[RULES][FAULTS];
} trial;

static void judge_by_usual_rules(trial *t, uint64_t seed)
{
    static data d;
    float got[ROWS];
    fill_uniform(&d, t->k, seed);
    const exact uniform = exact_of(&d, t->k);
    for (int f = 0; f < FAULTS; f++) {
        multiply(&t->kernels[f], d.a, d.b, t->k, got);
        t->accepts[NMSE][f] = nmse_accepts(&uniform, got);
        t->accepts[FIXED][f] = fixed_accepts(&uniform, got);
        t->accepts[GAMMA][f] = gamma_accepts(&uniform, got, t->k);
    }
    fill_normal(&d, t->k, seed);
    const exact normal = exact_of(&d, t->k);
    for (int f = 0; f < FAULTS; f++) {
        multiply(&t->kernels[f], d.a, d.b, t->k, got);
        t->accepts[GAMMA_NORMAL][f] = gamma_accepts(&normal, got, t->k);
    }
}

/* Judges one case of the module, as the runner does. */
static void judge_by_tier(trial *t, conform_tier tier, uint64_t seed, conform_pool *pool,
                          int accepts[FAULTS])
{
    static data d;
    const conform_case c = {.op = IFN_OP_MATMUL,
                            .dim = {ROWS, t->k, 1},
                            .tier = tier,
                            .family = tier == TIER_T0 ? FAMILY_LATTICE : FAMILY_NORMAL,
                            .seed = seed};
    const conform_declared strict = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    conform_layout l = {0};
    conform_truth truth[3] = {{0}};
    float out[ROWS];
    void *const buffers[] = {d.a, d.b, out};
    conform_pool_reset(pool);
    assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
    conform_module_matmul.fill(&c, &l, buffers);
    conform_module_matmul.truth(&c, &l, buffers, &strict, pool, truth);
    for (int f = 0; f < FAULTS; f++) {
        conform_result result;
        multiply(&t->kernels[f], d.a, d.b, t->k, out);
        conform_compare(&l.t[2], out, &truth[2], &result, NULL);
        assert_int_equal(result.n_compared, ROWS);
        accepts[f] = result.n_wrong == 0;
    }
}

typedef struct table {
    int64_t k;
    int accepted[RULES][FAULTS];
} table;

static void add_trial(table *t, uint64_t seed, conform_pool *pool)
{
    const conform_stream s = conform_stream_of(seed, "place");
    trial one = {.k = t->k};
    for (int f = 0; f < FAULTS; f++)
        one.kernels[f] = (kernel){(fault)f, conform_integer(s, 0, 0, ROWS - 1),
                                  conform_integer(s, 1, 0, t->k - 1)};
    judge_by_usual_rules(&one, seed);
    judge_by_tier(&one, TIER_T0, seed, pool, one.accepts[T0]);
    judge_by_tier(&one, TIER_T1, seed, pool, one.accepts[T1]);
    judge_by_tier(&one, TIER_T2, seed, pool, one.accepts[T2]);
    for (int f = 0; f < FAULTS; f++)
        one.accepts[ALL_TIERS][f] = one.accepts[T0][f] && one.accepts[T1][f] && one.accepts[T2][f];
    for (int r = 0; r < RULES; r++)
        for (int f = 0; f < FAULTS; f++)
            t->accepted[r][f] += one.accepts[r][f];
}

static void print_table(const table *t)
{
    print_message("k = %d, accepted in %% of %d trials:\n%-24s", (int)t->k, TRIALS, "");
    for (int f = 0; f < FAULTS; f++)
        print_message("%10s", fault_names[f]);
    for (int r = 0; r < RULES; r++) {
        print_message("\n%-24s", rule_names[r]);
        for (int f = 0; f < FAULTS; f++)
            print_message("%10.1f", 100.0 * t->accepted[r][f] / TRIALS);
    }
    print_message("\n");
}

static table measure(int64_t k)
{
    table t = {.k = k};
    conform_pool pool;
    conform_pool_init(&pool);
    for (uint64_t seed = 0; seed < TRIALS; seed++)
        add_trial(&t, seed, &pool);
    conform_pool_fini(&pool);
    print_table(&t);
    return t;
}

/* Asserts that a rate equals the stated one within four standard deviations of TRIALS trials. */
static void assert_rate(const table *t, rule r, fault f, double stated)
{
    const double rate = (double)t->accepted[r][f] / TRIALS;
    const double deviation = sqrt(stated * (1 - stated) / TRIALS);
    assert_that(fabs(rate - stated) <= 4 * deviation, "k = %d: %s accepts %s in %.3f, stated %.3f",
                (int)t->k, rule_names[r], fault_names[f], rate, stated);
}

static void assert_always(const table *t, rule r, fault f, int accepted)
{
    assert_that(t->accepted[r][f] == (accepted ? TRIALS : 0), "k = %d: %s accepts %s in %d of %d",
                (int)t->k, rule_names[r], fault_names[f], t->accepted[r][f], TRIALS);
}

static void assert_tiers_are_right(const table *t)
{
    assert_always(t, ALL_TIERS, CORRECT, 1);
    assert_always(t, ALL_TIERS, DROPPED, 0);
    assert_always(t, ALL_TIERS, F16_SUMS, 0);
}

/* The rate is 84 %: a product of two uniform numbers is below sqrt(5e-4 * 64 * 67 / 9) = 0.488 with probability
 * 0.488 (1 - ln 0.488) = 0.838. */
TEST(at_67_terms_an_aggregate_misses_most_faults)
{
    const table t = measure(67);
    assert_rate(&t, NMSE, DROPPED, 0.838);
    assert_always(&t, NMSE, F16_SUMS, 1);
    assert_always(&t, NMSE, CORRECT, 1);
    assert_tiers_are_right(&t);
}

TEST(at_4099_terms_every_usual_rule_fails_one_way_or_the_other)
{
    const table t = measure(4099);
    assert_always(&t, NMSE, DROPPED, 1);
    assert_always(&t, NMSE, F16_SUMS, 1);
    assert_rate(&t, FIXED, CORRECT, 0.02);
    assert_rate(&t, GAMMA_NORMAL, DROPPED, 0.7);
    assert_always(&t, GAMMA, CORRECT, 1);
    assert_tiers_are_right(&t);
}
