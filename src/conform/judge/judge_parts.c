/*
 * Runs the op in random legal parts, in random order. Every part starts from fresh outputs, so what differs from the
 * prefill is what it has written. That must lie in the part's own region, and all regions together must be the whole
 * result.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "declared.h"
#include "gen.h"
#include "invoke.h"
#include "judge_run.h"
#include "part_region.h"
#include "pattern.h"

typedef struct assembly {
    unsigned char *sum[CONFORM_MAX_TENSORS];   /* what the parts have written so far */
    unsigned char *clean[CONFORM_MAX_TENSORS]; /* the prefill */
} assembly;

static void start_assembly(judge_run *r, assembly *a)
{
    conform_pool *pool = &r->judge->pool;
    for (int i = 0; i < r->slot->layout.n; i++) {
        const size_t bytes = r->slot->layout.t[i].bytes;
        if (!r->whole[i])
            continue;
        a->sum[i] = conform_pool_take_raw(pool, bytes, 1);
        a->clean[i] = conform_pool_take_raw(pool, bytes, 1);
        conform_prefill(r->slot, i, a->clean[i], 0);
        conform_prefill(r->slot, i, a->sum[i], 0);
    }
}

conform_part judge_part_of(const judge_cuts c[2], int64_t index)
{
    const int64_t across = c[1].n ? c[1].n : 1;
    const int64_t at[2] = {index / across, index % across};
    conform_part part = {{0}, {0}};
    for (int axis = 0; axis < 2; axis++)
        if (c[axis].n) {
            part.begin[axis] = c[axis].at[at[axis]];
            part.end[axis] = c[axis].at[at[axis] + 1];
        }
    return part;
}

enum { PART_TEXT = 120 };

/* Writes "[0, 3)" or, for an op that is cut along both axes, "[0, 3) x [2, 2)". */
static void say_part(const conform_part *part, char text[PART_TEXT])
{
    const int n = snprintf(text, PART_TEXT, "[%lld, %lld)", (long long)part->begin[0],
                           (long long)part->end[0]);
    if (part->end[1])
        snprintf(text + n, (size_t)(PART_TEXT - n), " x [%lld, %lld)", (long long)part->begin[1],
                 (long long)part->end[1]);
}

/* Expects bytes [from, to) of tensor i, another part's, to equal the prefill. */
static void expect_clean(judge_run *r, const assembly *a, int i, const conform_part *part,
                         size_t from, size_t to)
{
    const unsigned char *const got = r->data[i], *const clean = a->clean[i];
    if (memcmp(got + from, clean + from, to - from) == 0)
        return;
    while (got[from] == clean[from])
        from++;
    char which[PART_TEXT];
    say_part(part, which);
    conform_verdict_fail(r->verdict, CHECK_OUTSIDE,
                         "in parts: %s writes byte %zu of %s, which belongs to another part", which,
                         from, r->slot->layout.t[i].name);
}

/* Copies what a part has written in its own region of tensor i. Each part is checked alone, as parts that do each
 * other's work, or one that does all of it, would give a right whole. */
static void gather_tensor(judge_run *r, assembly *a, int i, const conform_region *region,
                          const conform_part *part)
{
    const size_t bytes = r->slot->layout.t[i].bytes;
    const unsigned char *const got = r->data[i];
    size_t begin, end;
    for (size_t at = 0, next; at < bytes; at = next) {
        next = conform_region_at(region, bytes, at, &begin, &end);
        expect_clean(r, a, i, part, at, begin);
        memcpy(a->sum[i] + begin, got + begin, end - begin);
        expect_clean(r, a, i, part, end, next);
    }
}

static void gather_part(judge_run *r, assembly *a, const conform_part *part)
{
    for (int i = 0; i < r->slot->layout.n; i++) {
        if (!r->whole[i] || !r->data[i])
            continue;
        assert(a->clean[i] && a->sum[i]);
        const conform_region region =
            conform_part_region(r->slot->c.op, &r->call.args, &r->slot->layout, i, part);
        gather_tensor(r, a, i, &region, part);
    }
}

/* In half of the cases makes the ids of other parts illegal, which this part must not read. In the other half they
 * stay, to find a part that copies a row from another part's output, which may not be written yet. */
static void spoil_other_ids(judge_run *r, const conform_part *part)
{
    static const int32_t wrong[] = {INT32_MIN, -1, INT32_MAX};
    ifn_gather_rows_args *const a = &r->call.args.gather_rows;
    if (r->slot->c.op != IFN_OP_GATHER_ROWS || conform_hash(r->slot->c.seed, "spoilt", 0) & 1)
        return;
    int32_t *const ids = conform_pool_take(&r->judge->pool, (size_t)a->n, sizeof *ids);
    for (int64_t i = 0; i < a->n; i++)
        ids[i] = i >= part->begin[0] && i < part->end[0] ? a->ids[i] : wrong[i % 3];
    a->ids = ids;
}

/* Makes the bound call for this part alone. */
static void call_part(judge_run *r, const conform_part *part)
{
    judge_set_part(r, part);
    spoil_other_ids(r, part);
    const ifn_status status = judge_call(r, r->judge->backend, RUN_PARTS);
    if (status == IFN_OK)
        return;
    char which[PART_TEXT];
    say_part(part, which);
    conform_verdict_fail(r->verdict, CHECK_PARTS, "in parts: %s returned %s", which,
                         ifn_status_name(status));
}

static void run_part(judge_run *r, assembly *a, const conform_part *part)
{
    judge_start(r);
    call_part(r, part);
    judge_check_memory(r, r->home, RUN_PARTS, 0);
    gather_part(r, a, part);
}

/* How often parts are fenced. Long ones are fenced more often: kernels that put neighbours back do so for long
 * parts. */
enum { FENCED_TURN = 4, LONG_FENCED_TURN = 2, LONG_BYTES = 8192, EMPTY_TURN = 4 };

static uint64_t fenced_turn(const judge_run *r)
{
    size_t most = 0;
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->whole[i] && r->slot->layout.t[i].bytes > most)
            most = r->slot->layout.t[i].bytes;
    return most < LONG_BYTES ? FENCED_TURN : LONG_FENCED_TURN;
}

static int64_t granule_of(const judge_run *r, int axis)
{
    return ifn_backend_granule(r->judge->backend, r->slot->c.op, axis, &r->call.args.call);
}

/* Runs an empty part between two others or after the last, which must write nothing. */
static void run_empty(judge_run *r, assembly *a, const judge_cuts c[2], int n)
{
    const uint64_t seed = r->slot->c.seed;
    if (conform_hash(seed, "empty", 0) % EMPTY_TURN)
        return;
    const int axis = c[1].n > 0 && conform_hash(seed, "empty", 1) & 1;
    const uint64_t cuts = (uint64_t)c[axis].n;
    conform_part part = judge_part_of(c, (int64_t)(conform_hash(seed, "empty", 2) % (uint64_t)n));
    part.begin[axis] = part.end[axis] = c[axis].at[1 + conform_hash(seed, "empty", 3) % cuts];
    /* 0, 0 is the whole extent, and its end may be no multiple of the granule, at which a part must begin */
    if (part.end[axis] == 0 || (part.end[axis] == c[axis].at[cuts] && granule_of(r, axis) > 1))
        return;
    run_part(r, a, &part);
}

/* Runs one part again with a fence: memory next to it is read-only. */
static void run_fenced(judge_run *r, const judge_cuts c[2], int n)
{
    judge_fence fence;
    if (!judge_fence_is_due(r, fenced_turn(r)))
        return;
    const uint64_t which = conform_hash(r->slot->c.seed, "fence", 2) % (uint64_t)n;
    const conform_part part = judge_part_of(c, (int64_t)which);
    judge_fence_raise(r, &fence, &part);
    call_part(r, &part);
    judge_fence_lower(r, &fence);
}

/* Expects the parts together to be the whole result: its bits if R1 is declared, else the truth decides. */
static void expect_whole(judge_run *r, const assembly *a)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->whole[i])
            r->data[i] = a->sum[i];
    judge_relate(r, RUN_PARTS);
}

/* The rows and columns of the output at which parts meet. */
static conform_borders borders_of(ifn_op op, const judge_cuts c[2])
{
    conform_borders b = {0};
    for (int axis = 0; axis < 2; axis++) {
        const ifn_cut cut = ifn_op_cut(op, axis);
        const bool is_col =
            cut == IFN_CUT_COLS || cut == IFN_CUT_FEATURES || cut == IFN_CUT_ELEMENTS;
        for (int i = 1; i < c[axis].n; i++) {
            if (cut == IFN_CUT_ROWS)
                b.rows[b.n_rows++] = c[axis].at[i];
            else if (is_col)
                b.cols[b.n_cols++] = c[axis].at[i];
        }
    }
    return b;
}

static void run_all_parts(judge_run *r)
{
    assembly a = {.sum = {NULL}};
    judge_point(r, r->home, 0);
    judge_bind(r);
    const judge_cuts c[2] = {judge_draw_cuts(r, 0), judge_draw_cuts(r, 1)};
    const int n = c[0].n * (c[1].n ? c[1].n : 1);
    /* phases have parts of their own: judge_phases.c */
    if (n < 1 || conform_next_phase(r->slot->c.op, &r->call))
        return;
    start_assembly(r, &a);
    if (n == 1) {
        run_empty(r, &a, c, n);
        return;
    }
    r->verdict->parts = n;
    const int64_t *const order = judge_shuffled(r, "order", n);
    for (int i = 0; i < n && !judge_failed(r); i++) {
        const conform_part part = judge_part_of(c, order[i]);
        run_part(r, &a, &part);
    }
    const conform_borders borders = borders_of(r->slot->c.op, c);
    r->borders = &borders;
    if (!judge_failed(r))
        expect_whole(r, &a);
    r->borders = NULL;
    if (!judge_failed(r))
        run_empty(r, &a, c, n);
    if (!judge_failed(r))
        run_fenced(r, c, n);
}

void judge_parts(judge_run *r)
{
    run_all_parts(r);
    judge_phases(r);
}
