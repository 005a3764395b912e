/*
 * Runs attention in its two phases, each cut into parts of its own: PARTIALS over heads and key blocks, then MERGE over
 * heads. Together they must give the whole call's result (R1): numerics 7.7.
 */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"
#include "part_region.h"

/* In one case of FENCED_TURN a part is called again with a fence around it (judge_fence.c). */
enum { FENCED_TURN = 2 };

/* The region of a tensor that a part may write: a range of heads, and of each head a range of units. */
typedef struct region {
    int64_t heads, head_begin, head_end;
    int64_t units, unit_begin, unit_end; /* key blocks; 0 .. 1 in outputs without them */
} region;

static bool is_inside(const region *g, int64_t vector)
{
    const int64_t head = vector / g->units % g->heads, unit = vector % g->units;
    return head >= g->head_begin && head < g->head_end && unit >= g->unit_begin &&
           unit < g->unit_end;
}

/* Expects vectors of `length` floats outside the region to be unchanged. */
static void expect_outside_untouched(judge_run *r, int tensor, const unsigned char *before,
                                     const region *g, int64_t length)
{
    const conform_tensor *t = &r->slot->layout.t[tensor];
    const size_t bytes = (size_t)length * sizeof(float);
    const unsigned char *now = r->data[tensor];
    for (size_t at = 0; at + bytes <= t->bytes && bytes > 0; at += bytes)
        if (!is_inside(g, (int64_t)(at / bytes)) && memcmp(now + at, before + at, bytes) != 0)
            conform_verdict_fail(r->verdict, CHECK_OUTSIDE,
                                 "in parts: bytes from %zu of %s on, which belong to another part",
                                 at, t->name);
}

static unsigned char *copy_of(judge_run *r, int tensor)
{
    const size_t bytes = r->slot->layout.t[tensor].bytes;
    unsigned char *copy = conform_pool_take(&r->judge->pool, bytes + 1, 1);
    memcpy(copy, r->data[tensor], bytes);
    return copy;
}

/* Runs one part of the bound phase, which writes `tensor` alone. */
static void run_part(judge_run *r, const ifn_args *phase, int tensor, const region *g,
                     int64_t length)
{
    const ifn_op op = r->slot->c.op;
    const unsigned char *before = copy_of(r, tensor);
    r->call.args = *phase;
    ifn_op_set_part(op, &r->call.args.call, 0, g->head_begin, g->head_end);
    if (phase->attention.phase == IFN_ATTENTION_PARTIALS)
        ifn_op_set_part(op, &r->call.args.call, 1, g->unit_begin, g->unit_end);
    const ifn_status status = judge_call_part(r, RUN_PARTS);
    if (status != IFN_OK)
        conform_verdict_fail(
            r->verdict, CHECK_PARTS, "R1: in parts: heads [%lld, %lld) returned %s",
            (long long)g->head_begin, (long long)g->head_end, ifn_status_name(status));
    expect_outside_untouched(r, tensor, before, g, length);
}

/* Runs a part without key blocks, between two others or after the last, which must write nothing. */
static void run_empty(judge_run *r, const ifn_args *phase, int partials, const judge_cuts *blocks)
{
    const ifn_attention_args *a = &phase->attention;
    const int64_t at =
        blocks->at[1 + conform_hash(r->slot->c.seed, "empty", 3) % (uint64_t)blocks->n];
    const region g = {a->n_heads, 0, a->n_heads, blocks->at[blocks->n], at, at};
    run_part(r, phase, partials, &g, 2 + a->head_dim);
}

static void run_partials(judge_run *r)
{
    const ifn_args phase = r->call.args;
    const ifn_attention_args *a = &phase.attention;
    const judge_cuts heads = judge_draw_cuts(r, 0), blocks = judge_draw_cuts(r, 1);
    const int partials = conform_tensor_index(&r->slot->layout, "partials");
    const int n = heads.n * blocks.n;
    const int64_t *const order = judge_shuffled(r, "order", n);
    run_empty(r, &phase, partials, &blocks);
    for (int i = 0; i < n && !judge_failed(r); i++) {
        const int64_t h = order[i] / blocks.n, b = order[i] % blocks.n;
        const region g = {a->n_heads,          heads.at[h],  heads.at[h + 1],
                          blocks.at[blocks.n], blocks.at[b], blocks.at[b + 1]};
        run_part(r, &phase, partials, &g, 2 + a->head_dim);
    }
    r->call.args = phase;
}

/* Runs a range of key blocks of one head with a fence or, if heads cannot be cut apart, all blocks of a granule of
 * heads. */
static void run_fenced(judge_run *r)
{
    const uint64_t seed = r->slot->c.seed;
    judge_fence fence;
    if (!judge_fence_is_due(r, FENCED_TURN))
        return;
    judge_start(r);
    const judge_cuts blocks = judge_draw_cuts(r, 1);
    const int64_t n_heads = r->call.args.attention.n_heads;
    const int64_t granule =
        ifn_backend_granule(r->judge->backend, IFN_OP_ATTENTION, 0, &r->call.args.call);
    const int64_t drawn = (int64_t)(conform_hash(seed, "fence", 2) % (uint64_t)n_heads);
    const int64_t b = (int64_t)(conform_hash(seed, "fence", 3) % (uint64_t)blocks.n);
    const int64_t h = drawn / granule * granule;
    const int64_t last = n_heads - h < granule ? n_heads : h + granule;
    conform_part part = {{h, blocks.at[b]}, {last, blocks.at[b + 1]}};
    if (granule > 1)
        part.begin[1] = part.end[1] = 0;
    judge_fence_raise(r, &fence, &part);
    judge_set_part(r, &part);
    const ifn_status status = judge_call_part(r, RUN_PARTS);
    if (status != IFN_OK)
        conform_verdict_fail(
            r->verdict, CHECK_PARTS,
            "R1: in parts: key blocks [%lld, %lld) of heads [%lld, %lld) returned %s",
            (long long)part.begin[1], (long long)part.end[1], (long long)h, (long long)last,
            ifn_status_name(status));
    judge_fence_lower(r, &fence);
}

static void run_merges(judge_run *r)
{
    const ifn_args phase = r->call.args;
    const judge_cuts heads = judge_draw_cuts(r, 0);
    const int out = conform_tensor_index(&r->slot->layout, "out");
    const int64_t *const order = judge_shuffled(r, "order", heads.n);
    for (int i = 0; i < heads.n && !judge_failed(r); i++) {
        const int64_t h = order[i];
        const region g = {phase.attention.n_heads, heads.at[h], heads.at[h + 1], 1, 0, 1};
        run_part(r, &phase, out, &g, phase.attention.head_dim);
    }
}

static void run_in_one_call(judge_run *r)
{
    judge_start(r);
    r->call.args.attention.phase = IFN_ATTENTION_WHOLE;
    r->call.args.attention.partials = NULL;
    judge_must_run(r, RUN_WHOLE);
    judge_relate(r, RUN_WHOLE);
}

void judge_phases(judge_run *r)
{
    if (judge_failed(r))
        return;
    judge_start(r);
    const ifn_attention_args *a = &r->call.args.attention;
    if (r->slot->c.op != IFN_OP_ATTENTION || a->phase != IFN_ATTENTION_PARTIALS)
        return;
    if (a->rows > 0 && a->n_heads > 0) {
        run_partials(r);
        (void)judge_merge(r);
        run_merges(r);
        judge_merged(r);
        judge_check_memory(r, r->home, RUN_PARTS, 0);
        judge_relate(r, RUN_PARTS);
        if (!judge_failed(r))
            run_fenced(r);
    }
    if (!judge_failed(r))
        run_in_one_call(r);
}
