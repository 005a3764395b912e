/*
 * Compares later runs with the first: equal bits where they are promised or owed, the truth elsewhere.
 *
 * Bits owed without a promise: R0; in place and not; the two rope ops; rows of Q8_32F and the f32 rows they are made
 * of. The last three are owed only if one provider computes both: a leaf that has its base make one of two calls has
 * not rounded that one, and no run of a model needs one in place of the other (numerics 12).
 */
#include <stdio.h>
#include <string.h>

#include "base_watch.h"
#include "declared.h"
#include "judge_run.h"
#include "pattern.h"
#include "row_view.h"
#include "zero_map.h"

/* The first tensor that differs from the first run's, or -1. Partials, which one call leaves for the next, are the
 * backend's own. */
static int first_unequal(const judge_run *r, int64_t *where)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->whole[i] && r->data[i] && r->slot->layout.t[i].role != ROLE_BETWEEN &&
            !judge_equal(r, i, r->data[i], r->whole[i], where))
            return i;
    return -1;
}

/* Describes which elements of an f32 tensor differ; nothing for other tensors, which are compared by byte. */
static void describe_unequal(judge_run *r, int i, char *out, size_t bytes)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    const int64_t n = t->rows * t->cols;
    *out = '\0';
    if (t->element != ELEMENT_F32 || n == 0)
        return;
    unsigned char *marks = conform_pool_take(&r->judge->pool, (size_t)n, 1);
    for (int64_t k = 0; k < n; k++) {
        const size_t at = (size_t)(k / t->cols * t->stride + k % t->cols) * 4;
        marks[k] = !judge_same_float((const unsigned char *)r->data[i] + at, r->whole[i] + at);
    }
    const conform_wrong where = {.t = t, .marks = marks, .borders = r->borders};
    if (!judge_failed(r))
        error_map_draw(&r->verdict->map, &where);
    out[0] = ':';
    out[1] = ' ';
    conform_describe_wrong(&where, out + 2, bytes - 2);
}

static void fail_unequal(judge_run *r, conform_run run, int i, int64_t where)
{
    const conform_check check = conform_run_check(run);
    char pattern[200];
    const conform_tensor *t = &r->slot->layout.t[i];
    const int64_t cols = t->cols > 0 ? t->cols : 1;
    const int invariance = conform_check_relation(check);
    char name[16] = "";
    if (invariance >= 0)
        snprintf(name, sizeof name, "R%d: ", invariance);
    describe_unequal(r, i, pattern, sizeof pattern);
    conform_verdict_fail(r->verdict, check, "%s%s: %s[%lld,%lld] is not what the first run gave%s",
                         name, conform_run_name(run), t->name, (long long)(where / cols),
                         (long long)(where % cols), pattern);
}

void judge_same(judge_run *r, conform_run run)
{
    int64_t where = 0;
    const int i = r->is_left ? -1 : first_unequal(r, &where);
    if (i >= 0)
        fail_unequal(r, run, i, where);
}

enum { PARTS = 1, ADDRESSES = 4, IN_PLACE = 6 };

static bool has_invariance(const judge_run *r, int invariance)
{
    return conform_is_invariant(r->judge->backend, r->slot->c.op, invariance);
}

/* True if a tensor lies at another place in its page than in the first run. */
static bool has_moved(const judge_run *r)
{
    const size_t page = page_bytes();
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->data[i] && r->first_at[i] &&
            ((uintptr_t)r->data[i] ^ (uintptr_t)r->first_at[i]) % page != 0)
            return true;
    return false;
}

/* True if the backend promises this relation of this run; R0 always holds. Without R4 bits may depend on the place of
 * a tensor in its page. The runs of R1 leave tensors where they are, and those of R6 show in data[] where they lie; the
 * runs of other relations call on copies. */
static bool is_promised(const judge_run *r, conform_check check)
{
    const int i = conform_check_relation(check);
    return i == 0 ||
           (i > 0 && has_invariance(r, i) &&
            (has_invariance(r, ADDRESSES) || i == PARTS || (i == IN_PLACE && !has_moved(r))));
}

static void count_relation(judge_run *r, conform_check check, bool held, bool demanded)
{
    const int i = conform_check_relation(check);
    if (i < 0 || r->is_left)
        return;
    conform_relation *relation = &r->verdict->relations[i];
    relation->tried++;
    relation->held += held;
    relation->demanded += demanded;
}

/* Settles a later run whose tensor i differs (-1: none): a failure if equal bits are demanded, else the truth
 * decides. */
static void settle(judge_run *r, conform_run run, int i, int64_t where, bool demanded)
{
    if (i >= 0 && demanded)
        fail_unequal(r, run, i, where);
    else if (i >= 0 && !judge_failed(r))
        judge_like(r, conform_run_check(run));
}

/* Compares a later run with the first, and counts its relation. */
static void relate(judge_run *r, conform_run run, bool demanded)
{
    int64_t where = 0;
    if (judge_failed(r) || r->is_left)
        return;
    const int i = first_unequal(r, &where);
    count_relation(r, conform_run_check(run), i < 0, demanded);
    settle(r, run, i, where, demanded);
}

void judge_relate(judge_run *r, conform_run run)
{
    relate(r, run, is_promised(r, conform_run_check(run)));
}

/* The tensor that begins at this address, or -1. */
static int tensor_at(const judge_run *r, const void *data)
{
    int i = r->slot->layout.n - 1;
    while (i >= 0 && r->data[i] != data)
        i--;
    return i;
}

void *judge_take_like(judge_run *r, const void *like, size_t bytes)
{
    const size_t page = page_bytes();
    if (has_invariance(r, ADDRESSES))
        return conform_pool_take(&r->judge->pool, bytes, 1);
    unsigned char *const memory = conform_pool_take(&r->judge->pool, bytes + page, 1);
    return memory + ((uintptr_t)like - (uintptr_t)memory) % page;
}

/* Makes all rows from row n on those of the first run. */
static void put_rows_from(judge_run *r, int64_t n)
{
    const row_view view = conform_row_view(r->slot->c.op, &r->call.args);
    for (int i = 0; i < view.n_fields; i++) {
        const row_field *const f = &view.fields[i];
        unsigned char *const rows = conform_row_field(&r->call.args, f);
        const int t = tensor_at(r, rows);
        for (int64_t row = n; f->is_out && t >= 0 && r->whole[t] && row < view.n; row++)
            memcpy(rows + (size_t)row * f->stride, r->whole[t] + (size_t)row * f->stride, f->bytes);
    }
}

void judge_relate_first(judge_run *r, conform_run run, int64_t n)
{
    const conform_check check = conform_run_check(run);
    const bool is_promised_there = has_invariance(r, conform_check_relation(check));
    judge_relate(r, run);
    if (judge_failed(r) || !is_promised_there || is_promised(r, check))
        return;
    put_rows_from(r, n);
    judge_same(r, run);
}

void judge_resemble(judge_run *r, conform_run run)
{
    relate(r, run, false);
}

/* True if one provider has computed both calls. A leaf that has its base compute equally much in both counts as one. */
static bool has_one_provider(judge_run *r, conform_run run, judge_pair pair)
{
    ifn_backend *const backend = r->judge->backend;
    ifn_backend *const leaf = ifn_backend_implementer(backend, r->slot->c.op);
    if (ifn_backend_implementer(backend, pair.op) != leaf)
        return false;
    base_watch_begin(leaf);
    judge_start(r);
    (void)judge_call(r, backend, run);
    const uint64_t of_first = base_watch_end();
    base_watch_begin(leaf);
    judge_start(r);
    (void)pair.other(r);
    return base_watch_end() == of_first;
}

void judge_owe(judge_run *r, conform_run run, judge_pair pair)
{
    int64_t where = 0;
    if (judge_failed(r) || r->is_left)
        return;
    const int i = first_unequal(r, &where);
    const bool may_differ = !has_invariance(r, ADDRESSES) && has_moved(r);
    const bool owed = i < 0 || (!may_differ && has_one_provider(r, run, pair));
    count_relation(r, conform_run_check(run), i < 0, owed);
    settle(r, run, i, where, owed);
}
