/* Generators that leave something out, and how the certificate says so. */
#include <stdlib.h>
#include <string.h>

#include "all_specs.h"
#include "plan_cases.h"
#include "reach.h"
#include "test.h"

typedef struct generator {
    ifn_op op;
    conform_profile profile;
    bool (*leaves_out)(const conform_case *c);
    int relation; /* a relation that is never tried; 0: none */
} generator;

static bool is_tiny(const conform_case *c)
{
    return c->family == FAMILY_TINY;
}

static bool is_octave_of_n(const conform_case *c)
{
    return reach_octave(c->dim[1]) == 5;
}

static bool is_prepared_q4_k(const conform_case *c)
{
    return c->dtype == IFN_DTYPE_Q4_K && c->prepared;
}

static bool is_in_place(const conform_case *c)
{
    return c->alias == 2;
}

typedef struct text {
    ifn_op op;
    char all[1 << 16];
    int n;
} text;

static void write_hole(void *cookie, const reach_hole *hole)
{
    text *const t = cookie;
    char line[200];
    conform_reach_say(t->op, hole, line, sizeof line);
    t->n += snprintf(t->all + t->n, sizeof t->all - (size_t)t->n, "%s%s\n",
                     hole->is_left_out ? "left out: " : "", line);
    assert_true((size_t)t->n < sizeof t->all);
}

/* Counts the planned cases as if each had passed and everything in it had been tried. */
static void run(const generator *g, conform_reach *reach)
{
    const spec_op *const spec = specs[g->op];
    const conform_filter filter = {.profile = g->profile, .seed = 3};
    conform_verdict v = {.outcome = OUTCOME_PASS, .parts = 2, .threads = 2};
    conform_plan plan;
    ifn_error err = {0};
    assert_ok(conform_plan_open(&plan, spec, &filter, &err), err);
    conform_reach_need(reach, spec, g->profile);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        v.relations[i].tried = i != g->relation || i == 0;
    for (int64_t i = 0; i < plan.n; i++)
        if (!g->leaves_out || !g->leaves_out(&plan.cases[i]))
            conform_reach_count(reach, &plan.cases[i], &v);
    conform_plan_close(&plan);
}

static void expect(const generator *g, const char *words)
{
    const generator whole = {.op = g->op, .profile = g->profile};
    static text t;
    for (int is_muted = 0; is_muted < 2; is_muted++) {
        conform_reach reach = {0};
        t = (text){.op = g->op};
        run(is_muted ? g : &whole, &reach);
        conform_reach_missing(&reach, write_hole, &t);
        const bool is_said = strstr(t.all, words) != NULL;
        assert_that(is_said == is_muted, "'%s' is %ssaid:\n%s", words, is_said ? "" : "not ",
                    t.all);
        conform_reach_close(&reach);
    }
}

static void a_regime_that_is_left_out_is_a_hole(void **state)
{
    (void)state;
    expect(&(generator){.op = IFN_OP_MATMUL, .leaves_out = is_tiny},
           "matmul: no case of regime T1/tiny\n");
}

static void an_octave_that_is_left_out_is_a_hole(void **state)
{
    (void)state;
    expect(&(generator){.op = IFN_OP_MATMUL, .leaves_out = is_octave_of_n},
           "matmul: no case with n in [16, 32)\n");
}

static void a_relation_that_nobody_tries_is_a_hole(void **state)
{
    (void)state;
    expect(&(generator){.op = IFN_OP_ATTENTION, .relation = 9},
           "attention: no case in which R9 was tried\n");
}

static void a_kind_of_weights_that_is_left_out_is_a_hole(void **state)
{
    (void)state;
    expect(&(generator){.op = IFN_OP_LINEAR, .profile = PROFILE_CI, .leaves_out = is_prepared_q4_k},
           "linear Q4_K prepared: no case with k in [512, 1024)\n");
}

static void an_overlap_that_is_left_out_is_a_hole(void **state)
{
    (void)state;
    expect(&(generator){.op = IFN_OP_ADD, .leaves_out = is_in_place},
           "add: no case in place, out=y\n");
}

static const reach_key any = {REACH_ANY_DTYPE, REACH_ANY_FORM, REACH_ANY_DTYPE};
static const reach_key f16 = {IFN_DTYPE_F16, 1, IFN_DTYPE_F32};

static void every_kind_of_class_has_its_words(void **state)
{
    (void)state;
    static const struct {
        ifn_op op;
        reach_key key;
        reach_kind kind;
        int list, at;
        int64_t n;
        const char *words;
    } cases[] = {
        {IFN_OP_ADD, any, REACH_OCTAVES, 0, 0, 0, "add: no case with n = 0"},
        {IFN_OP_ADD, any, REACH_OCTAVES, 0, 14, 5,
         "add: 5 cases with n in [8192, 16384), "
         "expected 9"},
        {IFN_OP_LINEAR, f16, REACH_OCTAVES, 2, 2, 1,
         "linear F16 prepared: 1 case with k in [2, 4), expected 9"},
        {IFN_OP_MATMUL, any, REACH_RESIDUES, 2, 6, 0,
         "matmul: no case with n one more than that and p one less than that"},
        {IFN_OP_ADD, any, REACH_RELATIONS, 7, 0, 0, "add: no case in which R7 was tried"},
        {IFN_OP_ADD, any, REACH_ADDRESSES, 0, 3, 0, "add: no case with a tensor at 12 modulo 64"},
        {IFN_OP_ADD, any, REACH_PARTS, 0, 2, 0, "add: no case in 2 parts"},
        {IFN_OP_ADD, any, REACH_THREADS, 0, 2, 0, "add: no case on 2 threads at once"},
        {IFN_OP_QUANTIZE_ROWS,
         {IFN_DTYPE_F32, 0, IFN_DTYPE_Q4_K},
         REACH_OCTAVES,
         1,
         9,
         0,
         "quantize_rows F32 to Q4_K: no case with cols in [256, 512)"},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        char out[200];
        const reach_hole hole = {.key = cases[i].key,
                                 .class = reach_class(cases[i].kind, cases[i].list, cases[i].at),
                                 .n = cases[i].n,
                                 .needed = 9};
        conform_reach_say(cases[i].op, &hole, out, sizeof out);
        assert_string_equal(out, cases[i].words);
    }
}

/* Two refused cases and a judged one make up for three promised ones; if none was judged, nothing of the kind is
 * supported. */
static void what_a_manifest_does_not_support_is_left_out(void **state)
{
    (void)state;
    static text t;
    conform_reach r = {0};
    const int octave = reach_class(REACH_OCTAVES, 0, 3), regime = reach_class(REACH_REGIMES, 0, 0);
    const int relation = reach_class(REACH_RELATIONS, 2, 0);
    t = (text){.op = IFN_OP_LINEAR};
    reach_row_of(&r.needed, f16)->at[octave] = 3;
    reach_row_of(&r.needed, f16)->at[relation] = 1;
    reach_row_of(&r.refused, f16)->at[octave] = 2;
    reach_row_of(&r.refused, f16)->at[regime] = 2;
    assert_int_equal(conform_reach_count_holes(&r), 0);
    reach_row_of(&r.reached, f16)->at[octave] = 1;
    reach_row_of(&r.reached, f16)->at[regime] = 1;
    assert_int_equal(conform_reach_count_holes(&r), 1);
    conform_reach_missing(&r, write_hole, &t);
    assert_string_equal(t.all,
                        "left out: linear F16 prepared: 1 case with rows in [4, 8), expected 3\n"
                        "linear F16 prepared: no case in which R2 was tried\n");
    conform_reach_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_regime_that_is_left_out_is_a_hole),
        RUN(an_octave_that_is_left_out_is_a_hole),
        RUN(a_relation_that_nobody_tries_is_a_hole),
        RUN(a_kind_of_weights_that_is_left_out_is_a_hole),
        RUN(an_overlap_that_is_left_out_is_a_hole),
        RUN(every_kind_of_class_has_its_words),
        RUN(what_a_manifest_does_not_support_is_left_out),
    };
    return cmocka_run_group_tests(tests, open_specs, close_specs);
}
