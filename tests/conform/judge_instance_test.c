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
    copied_release_of(&all, self, packed);
}

/* A table that all instances share; the first instance that is closed frees it. */
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
/* Has kernels for handles only, and declares that: its base computes with raw weights. */
static int is_unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)dtype, (void)out_dtype;
    return op == IFN_OP_GATHER_ROWS;
}

static const ifn_manifest of_handles = {.manifest_bytes = sizeof of_handles,
                                        .unsupported = is_unsupported};

static ifn_status gather_packed(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_gather_rows_args raw = *a;
    ifn_tensor copied = *a->table;
    if (!a->packed)
        return IFN_ERR_UNSUPPORTED;
    copied.data = copied_data(a->packed);
    raw.table = &copied;
    raw.packed = NULL;
    return ifn_gather_rows(self->base, &raw);
}

static void fill_packed(ifn_op_table *ops, const ifn_backend_env *env)
{
    (void)env;
    ops->gather_rows = gather_packed;
}

static const ifn_backend_desc desc_packed = {
    IFN_BACKEND_STAMP,  .name = "packed",    .summary = "",
    .open = open_one,   .close = close_one,  .prepare = prepare,
    .release = release, .fill = fill_packed, .manifest = &of_handles};
static const ifn_backend_desc desc_table = {IFN_BACKEND_STAMP,    .name = "table",
                                            .summary = "",        .open = open_table,
                                            .close = close_table, .fill = fill_add};
static const conform_tested well = {"well", leaf_open, &desc_well},
                            wipes = {"wipes", leaf_open, &desc_wipes},
                            packed = {"packed", leaf_open, &desc_packed},
                            table = {"table", leaf_open, &desc_table};

/* Returns how many of the cases fail; *elder and *younger count the failures while the older or the younger instance
 * was closed. */
static int failures(const conform_tested *tested, conform_case c, int *elder, int *younger)
{
    conform_runner r;
    int n = 0;
    *elder = *younger = 0;
    bench_open(&r, tested, 0, 10);
    for (c.seed = 0; c.seed < 600; c.seed++) {
        conform_verdict v;
        ifn_error err = {0};
        if (conform_hash(c.seed, "instance", 0) % 24 != 0) /* no turn in 24: none in 120 */
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

static ifn_status open_packed(void *cookie, ifn_backend **out, ifn_error *err)
{
    return leaf_open(cookie, out, err);
}

static void judge_packed(const conform_case *c)
{
    conform_pool pool;
    conform_judge judge;
    conform_verdict v;
    conform_slot slot;
    ifn_backend *backend;
    ifn_error err = {0};
    conform_pool_init(&pool);
    assert_ok(leaf_open(&packed, &backend, &err), err);
    assert_ok(conform_slot_build(&slot, &pool, c, NULL, NULL, &err), err);
    conform_judge_open(&judge, backend, NULL);
    judge.reopen = (conform_reopen){open_packed, NULL, (void *)(uintptr_t)&packed};
    conform_judge_case(&judge, &slot, &v);
    assert_that(v.outcome != OUTCOME_FAIL, "%s", v.detail);
    assert_int_equal(n_open, 1);
    conform_judge_close(&judge);
    ifn_backend_close(backend);
    conform_pool_fini(&pool);
}

/* The base of another instance runs some of its calls; every instance that was opened is closed all the same. */
TEST(an_instance_that_leaves_a_call_is_closed)
{
    int n = 0;
    for (uint64_t seed = 0; n < 12; seed++) {
        const conform_case c = copied_case(seed);
        if (conform_hash(seed, "instance", 0) % 24 != 0)
            continue;
        n++;
        judge_packed(&c);
    }
}
