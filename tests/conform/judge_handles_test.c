/* Handles beside others: of the same weight, and of similar weights. */
#include <string.h>

#include "bench.h"
#include "copied_leaf.h"
#include "leaves.h"
#include "test.h"

/* Returns 1 if the backend takes `w` for the weight of `h`, which it has prepared before. */
typedef int is_known_fn(const copied_handle *h, const ifn_tensor *w);

static copied_handle *known; /* live handles */

static int by_nothing(const copied_handle *h, const ifn_tensor *w)
{
    (void)h, (void)w;
    return 0;
}

static int by_name(const copied_handle *h, const ifn_tensor *w)
{
    return strcmp(h->name, w->name) == 0 && h->rows == w->shape[0];
}

static int by_shape(const copied_handle *h, const ifn_tensor *w)
{
    return h->dtype == w->dtype && h->rows == w->shape[0] && h->cols == w->shape[1];
}

static int by_first_row(const copied_handle *h, const ifn_tensor *w)
{
    return memcmp(copied_data(h), w->data, ifn_dtype_row_bytes(w->dtype, w->shape[1])) == 0;
}

static int by_address(const copied_handle *h, const ifn_tensor *w)
{
    return h->source == w->data;
}

/* Copies the rows of the live handle that `is_known` takes for the same weight, as many rows as both have. */
static ifn_status copy_known(ifn_backend *self, const ifn_tensor *const *w, int n, ifn_packed *out,
                             is_known_fn *is_known)
{
    for (int i = 0; i < n; i++) {
        const copied_handle *like = known;
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        while (like && !is_known(like, w[i]))
            like = like->next;
        memcpy(copied_data(h), w[i]->data, h->bytes);
        if (like)
            memcpy(copied_data(h), copied_data(like),
                   like->bytes < h->bytes ? like->bytes : h->bytes);
        h->next = known;
        known = h;
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

static void forget(ifn_backend *self, ifn_packed *packed)
{
    copied_release_of(&known, self, packed);
}

/* Makes one handle for all weights of the same address; the first release frees it. */
static ifn_status prepare_once(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle *h = known;
        while (h && !(by_address(h, w[i]) && by_shape(h, w[i])))
            h = h->next;
        if (!h) {
            const ifn_status status = copy_known(self, &w[i], 1, &out[i], by_nothing);
            if (status != IFN_OK)
                return status;
        } else
            out[i] = copied_packed(h);
    }
    return IFN_OK;
}

/* Keeps the copy of the latest released weight, and uses it for the next weight at the same address. */
static struct {
    const void *source;
    unsigned char rows[4096];
} latest;

static ifn_status prepare_again(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                                ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        if (latest.source != w[i]->data)
            memcpy(latest.rows, w[i]->data, h->bytes);
        latest.source = w[i]->data;
        memcpy(copied_data(h), latest.rows, h->bytes);
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

/* Appends the new handle to a list of live handles: prepare writes to a handle of another weight. */
static ifn_status prepare_at_the_end(ifn_backend *self, const ifn_tensor *const *w, int n,
                                     uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle **end = &known;
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        memcpy(copied_data(h), w[i]->data, h->bytes);
        while (*end)
            end = &(*end)->next;
        *end = h;
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

#define PREPARES(word, known_by)                                                                   \
    static ifn_status prepare_##word(ifn_backend *self, const ifn_tensor *const *w, int n,         \
                                     uint32_t uses, ifn_packed *out, ifn_error *err)               \
    {                                                                                              \
        (void)uses, (void)err;                                                                     \
        return copy_known(self, w, n, out, known_by);                                              \
    }
PREPARES(well, by_nothing)
PREPARES(by_name, by_name)
PREPARES(by_shape, by_shape)
PREPARES(by_first_row, by_first_row)

#define HANDLES(word, prepare_it, release_it)                                                      \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP,     .name = #word,             \
                                                 .summary = "",         .fill = copied_fill,       \
                                                 .prepare = prepare_it, .release = release_it};    \
    static const conform_tested word = {#word, leaf_open, &desc_##word};
HANDLES(well, prepare_well, forget)
HANDLES(at_the_end, prepare_at_the_end, forget)
HANDLES(named, prepare_by_name, forget)
HANDLES(shaped, prepare_by_shape, forget)
HANDLES(first_row, prepare_by_first_row, forget)
HANDLES(once, prepare_once, forget)
HANDLES(again, prepare_again, copied_release)

enum { SEEDS = 160 };

/* Returns how many seeds fail, each in a worker; *said is the detail of the first. */
static int failures(const conform_tested *tested, const char **said)
{
    static char detail[400];
    conform_runner r;
    int n = 0;
    bench_open(&r, tested, 0, 10);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const conform_case c = copied_case(seed);
        conform_verdict v;
        ifn_error err = {0};
        assert_ok(conform_runner_try(&r, 0, &c, &v, &err), err);
        if (v.outcome == OUTCOME_FAIL && n++ == 0)
            strcpy(detail, v.detail);
    }
    conform_runner_close(&r);
    *said = detail;
    return n;
}

static void expect_caught(const conform_tested *tested)
{
    const char *said = "";
    const int n = failures(tested, &said);
    printf("%s: %d of %d: %s\n", tested->label, n, SEEDS, said);
    assert_that(n > 0, "%s: no failure", tested->label);
}

TEST(copies_are_right)
{
    const char *said = "";
    const int n = failures(&well, &said);
    assert_that(n == 0, "%d: %s", n, said);
}

TEST(prepare_may_write_to_what_it_has_made_before)
{
    const char *said = "";
    const int n = failures(&at_the_end, &said);
    assert_that(n == 0, "%d: %s", n, said);
}

TEST(a_weight_is_not_known_by_its_name_or_shape)
{
    expect_caught(&named);
    expect_caught(&shaped);
}

TEST(a_weight_is_not_known_by_its_first_row)
{
    expect_caught(&first_row);
}

TEST(other_data_at_the_same_address_is_another_weight)
{
    expect_caught(&again);
}

TEST(one_handle_is_not_given_twice)
{
    expect_caught(&once);
}
