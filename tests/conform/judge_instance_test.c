/* A backend that is opened twice. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "copied_leaf.h"
#include "gen.h"
#include "leaves.h"
#include "test.h"

static copied_handle *all; /* handles of every instance */
static int n_open;

static ifn_status open_one(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env, (void)err;
    *state = &n_open;
    n_open++;
    return IFN_OK;
}

static void close_one(void *state)
{
    (void)state;
    n_open--;
}

static void close_all(void *state)
{
    close_one(state);
    for (copied_handle *h = all; h; h = h->next)
        memset(copied_data(h), 0, h->bytes);
    all = NULL;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        memcpy(copied_data(h), w[i]->data, h->bytes);
        h->next = all;
        all = h;
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    copied_handle **at = &all;
    while (*at && *at != packed->data)
        at = &(*at)->next;
    if (*at)
        *at = (*at)->next;
    copied_release(self, packed);
}

/* A table of all instances, which the first to be closed gives back. */
static float *ones;

static ifn_status open_table(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env, (void)err;
    if (!ones && !(ones = calloc(1, sizeof *ones)))
        return IFN_ERR_NOMEM;
    *ones = 1;
    *state = ones;
    return IFN_OK;
}

static void close_table(void *state)
{
    (void)state;
    if (ones)
        *ones = 0;
}

static ifn_status add_by_table(ifn_backend *self, const ifn_add_args *a)
{
    return *ones == 1 ? ifn_add(self->base, a) : IFN_ERR_ARGUMENT;
}

static void fill_add(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_by_table;
}

static const ifn_backend_desc desc_well = {
    IFN_BACKEND_STAMP,  .name = "well",     .summary = "",      .open = open_one,
    .close = close_one, .prepare = prepare, .release = release, .fill = copied_fill};
static const ifn_backend_desc desc_wipes = {
    IFN_BACKEND_STAMP,  .name = "wipes",    .summary = "",      .open = open_one,
    .close = close_all, .prepare = prepare, .release = release, .fill = copied_fill};
static const ifn_backend_desc desc_table = {IFN_BACKEND_STAMP,    .name = "table",
                                            .summary = "",        .open = open_table,
                                            .close = close_table, .fill = fill_add};
static const conform_tested well = {"well", leaf_open, &desc_well},
                            wipes = {"wipes", leaf_open, &desc_wipes},
                            table = {"table", leaf_open, &desc_table};

/* Of 400 seeds; *elder and *younger of them while one or the other was closed. */
static int failures(const conform_tested *tested, conform_case c, int *elder, int *younger)
{
    conform_runner r;
    int n = 0;
    *elder = *younger = 0;
    bench_open(&r, tested, 0, 10);
    for (c.seed = 0; c.seed < 600; c.seed++) {
        conform_verdict v;
        ifn_error err = {0};
        if (conform_hash(c.seed, "instance", 0) % 24 != 0) /* no turn in 24 is none in 120 */
            continue;
        assert_ok(conform_runner_try(&r, 0, &c, &v, &err), err);
        n += v.outcome == OUTCOME_FAIL;
        *younger += strstr(v.detail, "after another instance was closed") != NULL;
        *elder += strstr(v.detail, "on a later instance") != NULL;
    }
    conform_runner_close(&r);
    return n;
}

TEST(two_instances_are_two_backends)
{
    int elder, younger;
    assert_int_equal(failures(&well, copied_case(0), &elder, &younger), 0);
}

TEST(handles_of_others_are_not_wiped)
{
    int elder, younger;
    failures(&wipes, copied_case(0), &elder, &younger);
    assert_that(elder > 0 && younger > 0, "%d, %d", elder, younger);
}

TEST(tables_of_others_stay)
{
    const conform_case add = {
        .op = IFN_OP_ADD, .dim = {40}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    int elder, younger;
    assert_true(failures(&table, add, &elder, &younger) > 0);
}
