/*
 * Finds the smallest bias that the rule of numerics 4.5 detects: scalar's own results are moved away from zero by one
 * bit in a share of the elements. numerics 4.5 states the figures that this test prints.
 */
#include <math.h>
#include <string.h>

#include "case_pool.h"
#include "paths.h"
#include "plan_cases.h"
#include "run_bias.h"
#include "slot.h"
#include "spec.h"
#include "test.h"

/* Average bias in units in the last place. */
static const double shares[] = {0, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8};
enum { SHARES = sizeof shares / sizeof *shares, ENOUGH = 400 };

static uint32_t hash_of(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Moves every element away from zero by floor(share) bits, and a fraction share - floor(share) of them by one bit
 * more. */
static void move(float *x, int64_t n, double share)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        const double part = hash_of(bits + (uint32_t)i * 0x9e3779b9u) * 0x1p-32;
        if (isnormal(x[i]))
            bits += (uint32_t)share + (part < share - floor(share));
        memcpy(&x[i], &bits, sizeof bits);
    }
}

static void count(conform_kind *kind, const conform_slot *s, int i, double share, float *room)
{
    const conform_tensor *const t = &s->layout.t[i];
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_result res;
    memcpy(room, s->reference[i], t->bytes);
    move(room, (int64_t)(t->bytes / sizeof(float)), share);
    conform_compare(t, room, &s->truth[i], &res, NULL);
    v.n_signed = res.n_signed;
    v.signed_sum = res.signed_error_sum;
    v.outward_sum = res.outward_sum;
    v.signed_squares = res.signed_squares;
    v.lean_sum = res.lean_sum;
    conform_count_bias(kind, &s->c, &v);
}

static void count_slot(conform_kind kinds[SHARES], const conform_slot *s, conform_pool *pool)
{
    for (int i = 0; i < s->layout.n; i++) {
        if (s->truth[i].class != CLASS_BOUND || !s->truth[i].want ||
            s->layout.t[i].element != ELEMENT_F32 || !s->reference[i])
            continue;
        float *const room = conform_pool_take(pool, s->layout.t[i].bytes, 1);
        for (int j = 0; j < SHARES; j++)
            count(&kinds[j], s, i, shares[j], room);
    }
}

static void count_op(ifn_op op, conform_kind kinds[SHARES])
{
    const conform_filter filter = {.profile = PROFILE_CI, .n_cases = 4000, .seed = 11};
    spec_op *specs[IFN_OP_COUNT];
    conform_plan plan;
    conform_pool pool;
    ifn_backend *scalar;
    ifn_error err = {0};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    assert_ok(conform_plan_open(&plan, specs[op], &filter, &err), err);
    conform_pool_init(&pool);
    for (int64_t i = 0; i < plan.n && kinds[0].bias.n < ENOUGH; i++) {
        static conform_slot slot;
        if (plan.cases[i].tier != TIER_T2 || plan.cases[i].out_dtype != IFN_DTYPE_F32)
            continue;
        conform_pool_reset(&pool);
        assert_ok(conform_slot_build(&slot, &pool, &plan.cases[i], specs[op], scalar, &err), err);
        count_slot(kinds, &slot, &pool);
    }
    conform_pool_fini(&pool);
    conform_plan_close(&plan);
    ifn_backend_close(scalar);
    spec_free_all(specs);
}

static int is_found(const conform_kind *kind)
{
    return conform_mean_is_biased(&kind->outward, &kind->lean) ||
           conform_mean_is_biased(&kind->bias, &kind->lean);
}

/* Expects the rule to find every bias from `smallest` on, and none in scalar itself; it may find a smaller bias. */
static void expect(ifn_op op, double smallest)
{
    conform_kind kinds[SHARES] = {{0}};
    count_op(op, kinds);
    assert_true(kinds[0].bias.n >= ENOUGH);
    for (int j = 0; j < SHARES; j++)
        print_message("%-18s %6.4f ulp: mean %8.4f, lean %.4f, error %.4f%s\n", ifn_op_name(op),
                      shares[j], conform_mean_value(&kinds[j].outward),
                      conform_mean_value(&kinds[j].lean), conform_mean_error(&kinds[j].outward),
                      is_found(&kinds[j]) ? ": found" : "");
    for (int j = 0; j < SHARES; j++)
        assert_that(shares[j] > 0 && shares[j] < smallest ? 1
                                                          : is_found(&kinds[j]) == (shares[j] > 0),
                    "%s: a bias of %g ulp, expected from %g on to be found", ifn_op_name(op),
                    shares[j], smallest);
}

TEST(sums_of_products_have_no_side)
{
    expect(IFN_OP_MATMUL, 0.25);
    expect(IFN_OP_LINEAR, 0.25);
    expect(IFN_OP_SUM_SQUARES_AXIS, 0.25);
}

TEST(what_has_a_function_in_it_may_lean_by_its_budget)
{
    expect(IFN_OP_RMS_NORM, 1);
    expect(IFN_OP_SOFTMAX_ROWS, 8);
    expect(IFN_OP_ATTENTION, 4);
}
