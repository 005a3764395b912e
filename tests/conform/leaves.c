#include "leaves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 48 };

const ifn_manifest leaf_promises = {
    .manifest_bytes = sizeof leaf_promises, .invariances = 0x7ff, .spans = 1};
const ifn_manifest leaf_promises_none = {.manifest_bytes = sizeof leaf_promises, .spans = 1};

ifn_status leaf_open(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = CONFORM_LANES, .keeps_refusals = 1);
    return ifn_backend_open_desc(self->cookie, NULL, "", &options, out, err);
}

static void add(leaf_statistics *t, const conform_verdict *v, conform_check check)
{
    const int i = conform_check_relation(check);
    t->n_passed += v->outcome == OUTCOME_PASS;
    t->n_check += v->outcome == OUTCOME_FAIL && v->check == check;
    t->n_other += v->outcome != OUTCOME_PASS && v->check != check;
    const bool is_other = v->outcome == OUTCOME_FAIL && v->check != check;
    if (v->outcome == OUTCOME_FAIL && (!t->first[0] || (is_other && t->n_other == 1)))
        snprintf(t->first, sizeof t->first, "%s: %s", conform_check_name(v->check), v->detail);
    if (i < 0)
        return;
    t->relation.tried += v->relations[i].tried;
    t->relation.held += v->relations[i].held;
    t->relation.demanded += v->relations[i].demanded;
}

leaf_statistics leaf_judge(const conform_tested *tested, conform_case c, conform_check check)
{
    leaf_statistics t = {.n_passed = 0};
    for (c.seed = 1; c.seed <= SEEDS; c.seed++) {
        const conform_verdict v = judge_once(tested, &c);
        add(&t, &v, check);
    }
    return t;
}

void leaf_expect_honest(const conform_tested *tested, conform_case c, conform_check check)
{
    const leaf_statistics t = leaf_judge(tested, c, check);
    assert_that(t.n_passed == SEEDS, "%s", t.first);
    assert_in_range(t.relation.tried, SEEDS / 16, SEEDS);
    assert_int_equal(t.relation.held, t.relation.tried);
    assert_int_equal(t.relation.demanded, t.relation.tried);
}

void leaf_expect_caught(const conform_tested broken[2], conform_case c, conform_check check)
{
    char name[16];
    const leaf_statistics t = leaf_judge(broken, c, check);
    snprintf(name, sizeof name, "R%d: ", conform_check_relation(check));
    assert_that(t.n_check > 0 && t.n_other == 0, "%s: %d by %s, %d others: %s", broken->label,
                t.n_check, conform_check_name(check), t.n_other, t.first);
    assert_that(strstr(t.first, name), "'%s' does not name %s", t.first, name);
    const leaf_statistics free = leaf_judge(&broken[1], c, check);
    assert_that(free.n_passed == SEEDS, "%s", free.first);
    assert_int_equal(free.relation.demanded, 0);
    assert_true(free.relation.held < free.relation.tried);
}

void leaf_nudge(float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = nextafterf(x[i], INFINITY);
}
