/* A fused op that is correct, on a backend whose primitive op is wrong: only the law finds that. */
#include "judge.h"

#include <string.h>

#include "paths.h"
#include "spec_text.h"
#include "test.h"
#include "tested.h"

static ifn_status large_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    const ifn_status status = ifn_hadamard(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n; i++)
        a->out[i] *= 1.001f;
    return status;
}

static ifn_status no_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    (void)self;
    (void)a;
    return IFN_ERR_UNSUPPORTED;
}

static ifn_status broken_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    (void)self;
    (void)a;
    return IFN_ERR_SHAPE;
}

enum { PAST = 64 };

/* Reads up to PAST bytes after its inputs, as a kernel that loads whole vectors does, and declares it. */
static ifn_status past_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    const volatile unsigned char *const x = (const volatile unsigned char *)(a->x + a->n);
    const volatile unsigned char *const y = (const volatile unsigned char *)(a->y + a->n);
    for (int i = 0; a->part_end == 0 && a->n > 0 && i < PAST; i++)
        (void)(x[i] + y[i]);
    return ifn_hadamard(self->base, a);
}

/* The site that the judge tells of the running call, and its step at the call before. */
static conform_site site;
static int64_t last_step;
static int n_told, n_untold;

static ifn_status told_hadamard(ifn_backend *self, const ifn_hadamard_args *a)
{
    const int64_t step = atomic_load(&site.step);
    if (site.run == RUN_LAW && step > last_step)
        n_told++;
    else
        n_untold++;
    last_step = step;
    return ifn_hadamard(self->base, a);
}

static void fill_large(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = large_hadamard;
}

static void fill_told(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = told_hadamard;
}

static void fill_past(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = past_hadamard;
}

static void fill_none(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = no_hadamard;
}

static void fill_broken(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->hadamard = broken_hadamard;
}

static ifn_status open_desc(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

#define TESTED(fill_fn)                                                                            \
    {                                                                                              \
        .label = #fill_fn, .open = open_desc, .cookie = &(const ifn_backend_desc)                  \
        {                                                                                          \
            IFN_BACKEND_STAMP, .name = #fill_fn, .summary = "hadamard only", .fill = fill_fn       \
        }                                                                                          \
    }

static const conform_tested large = TESTED(fill_large), none = TESTED(fill_none),
                            broken = TESTED(fill_broken), told = TESTED(fill_told);

static const ifn_manifest reads_past = {.manifest_bytes = sizeof reads_past, .max_overread = PAST};
static const ifn_backend_desc past_desc = {IFN_BACKEND_STAMP, .name = "past",
                                           .summary = "hadamard only", .manifest = &reads_past,
                                           .fill = fill_past};
static const conform_tested past = {.label = "past", .open = open_desc, .cookie = &past_desc};

static spec_op *spec;    /* of swiglu */
static char latest[400]; /* what is wrong, for the latest failure */

typedef struct statistics {
    int n_passed, n_law, n_other;
} statistics;

static statistics judge_many(const conform_tested *tested, conform_tier tier)
{
    statistics t = {0, 0, 0};
    for (uint64_t seed = 0; seed < 160; seed++) {
        const conform_case c = {.op = IFN_OP_SWIGLU,
                                .dim = {3, 40},
                                .tier = tier,
                                .family = FAMILY_NORMAL,
                                .seed = seed};
        const conform_verdict v = judge_once_by(spec, tested, &c);
        t.n_passed += v.outcome == OUTCOME_PASS;
        if (v.outcome == OUTCOME_FAIL)
            memcpy(latest, v.detail, sizeof latest);
        t.n_law += v.outcome != OUTCOME_PASS && v.check == CHECK_LAW;
        t.n_other += v.outcome != OUTCOME_PASS && v.check != CHECK_LAW;
    }
    return t;
}

static void a_wrong_primitive_op_breaks_the_law_of_one_case_in_eight(void **state)
{
    (void)state;
    const statistics t = judge_many(&large, TIER_T1);
    assert_in_range(t.n_law, 8, 40);
    assert_int_equal(t.n_other, 0);
    assert_int_equal(t.n_passed, 160 - t.n_law);
}

static void a_refused_primitive_op_is_no_broken_law(void **state)
{
    (void)state;
    assert_int_equal(judge_many(&none, TIER_T1).n_passed, 160);
}

static void a_primitive_op_reads_past_its_tensors_as_it_declares(void **state)
{
    (void)state;
    assert_int_equal(judge_many(&past, TIER_T1).n_passed, 160);
}

static void a_failing_primitive_op_is(void **state)
{
    (void)state;
    assert_in_range(judge_many(&broken, TIER_T1).n_law, 8, 40);
}

/* The watcher of a worker can tell which call does not return, and that a new call has begun. */
static void each_call_of_a_law_is_told(void **state)
{
    (void)state;
    tested_site = &site;
    assert_int_equal(judge_many(&told, TIER_T1).n_passed, 160);
    tested_site = NULL;
    assert_in_range(n_told, 8, 40);
    assert_int_equal(n_untold, 0);
}

static void a_call_without_a_spec_has_no_law(void **state)
{
    spec_op *const law = spec;
    (void)state;
    spec = NULL;
    assert_int_equal(judge_many(&large, TIER_T1).n_passed, 160);
    spec = law;
}

/* The judge and the backends are the same; only the text of the law differs. */
static void another_law_is_another_verdict(void **state)
{
    (void)state;
    assert_int_equal(judge_many(&tested_honest, TIER_T1).n_passed, 160);
    spec_op *const law = spec;
    spec = spec_of_tree(IFN_OP_SWIGLU, "hadamard(silu(gate), up)", "hadamard(gate, up)");
    assert_in_range(judge_many(&tested_honest, TIER_T1).n_law, 8, 40);
    spec_op_free(spec);
    spec = spec_of_tree(IFN_OP_SWIGLU, "hadamard(silu(gate), up)",
                        "hadamard(silu(sum_squares_axis(gate, 1)), up)");
    assert_in_range(judge_many(&tested_honest, TIER_T1).n_law, 8, 40);
    assert_string_equal(latest, "its primitive ops returned ERR_SHAPE: law of swiglu: n of "
                                "hadamard: 120, expected as in its other operand: 3");
    spec_op_free(spec);
    spec = law;
}

static float deep_sum(const ifn_linear_args *a, int64_t row, int64_t feature)
{
    const float *const w = (const float *)a->w[0]->data + feature * a->k;
    double sum = 0;
    for (int64_t j = 0; j < a->k; j++)
        sum += (double)a->x[row * a->x_stride + j] * (double)w[j];
    return (float)sum;
}

/* Computes F32 without bias in f64 with one rounding, and declares that depth. */
static ifn_status deep_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const int64_t last = a->part_end ? a->part_end : a->w[0]->shape[0];
    const int64_t last_row = a->part2_end ? a->part2_end : a->rows;
    (void)self;
    for (int64_t r = a->part2_begin; r < last_row; r++)
        for (int64_t f = a->part_begin; f < last; f++)
            a->out[0][r * a->out_stride[0] + f] = deep_sum(a, r, f);
    return IFN_OK;
}

static void fill_deep(ifn_op_table *t, const ifn_backend_env *env)
{
    (void)env;
    t->linear = deep_linear;
}

static int64_t one(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)dtype;
    return op == IFN_OP_LINEAR && k > 1 ? 1 : k;
}

/* The depth that linear declares does not bind matmul, which the backend inherits from its base. */
static void a_law_has_the_depth_of_its_own_sums(void **state)
{
    static const ifn_manifest manifest = {.manifest_bytes = sizeof manifest, .depth = one};
    static const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "deep",
                                          .summary = "linear only", .fill = fill_deep,
                                          .manifest = &manifest};
    const conform_tested deep = {.label = "deep", .open = open_desc, .cookie = &desc};
    spec_op *const linear = spec_of_tree(IFN_OP_LINEAR, "op: linear", "op: linear");
    (void)state;
    for (uint64_t seed = 0; seed < 160; seed++) {
        const conform_case c = {.op = IFN_OP_LINEAR,
                                .dim = {3, 2, 2000, 1},
                                .tier = TIER_T2,
                                .family = FAMILY_NORMAL,
                                .seed = seed};
        const conform_verdict v = judge_once_by(linear, &deep, &c);
        assert_that(v.outcome == OUTCOME_PASS, "seed %d: %s", (int)seed, v.detail);
    }
    spec_op_free(linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_wrong_primitive_op_breaks_the_law_of_one_case_in_eight),
        RUN(a_refused_primitive_op_is_no_broken_law),
        RUN(a_primitive_op_reads_past_its_tensors_as_it_declares),
        RUN(a_failing_primitive_op_is),
        RUN(each_call_of_a_law_is_told),
        RUN(a_call_without_a_spec_has_no_law),
        RUN(another_law_is_another_verdict),
        RUN(a_law_has_the_depth_of_its_own_sums),
    };
    spec = spec_of_tree(IFN_OP_SWIGLU, "op: swiglu", "op: swiglu");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    spec_op_free(spec);
    temp_clean();
    return failed;
}
