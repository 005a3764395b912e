/*
 * Draws from a case's seed: whether it tries a relation, its cuts and its orders.
 */
#include "gen.h"
#include "invoke.h"
#include "judge_run.h"
#include "long_case.h"

/* A relation costs calls of its own, so one case in TURN tries it. CHECK_ORDER is tried twice as often: state that a
 * backend keeps from a call shows in few shapes, and only if the inputs before were much the same. */
enum { TURN = 4, ORDER_TURN = 2 };

/* The place of that draw. Places of a stream with the name of the check are small numbers: a draw of the same place would
 * come out alike in every case that tries the relation. */
static const uint64_t whether_due = UINT64_MAX;

int judge_is_due(const judge_run *r, conform_check check)
{
    const conform_case *c = &r->slot->c;
    if (c->tier == TIER_REFUSE || c->tier == TIER_GOLDEN || !conform_has_relations(c))
        return 0;
    return conform_hash(c->seed, conform_check_name(check), whether_due) %
               (check == CHECK_ORDER ? ORDER_TURN : TURN) ==
           0;
}

/* The nearest legal cut at or below `at`. Multiples of the granule count from the first row of each weight. */
static int64_t legal_cut(const judge_run *r, int axis, int64_t at, int64_t granule)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    int64_t start = 0;
    if (ifn_op_cut(r->slot->c.op, axis) == IFN_CUT_FEATURES) {
        const int n = conform_weights_of(r->slot->c.op, &r->call, w);
        for (int i = 0; i < n && start + w[i]->shape[0] <= at; i++)
            start += w[i]->shape[0];
    }
    return start + (at - start) / granule * granule;
}

static void insert(judge_cuts *c, int64_t at)
{
    int i = c->n;
    for (int j = 0; j <= c->n; j++)
        if (c->at[j] == at)
            return;
    for (; i >= 0 && c->at[i] > at; i--)
        c->at[i + 1] = c->at[i];
    c->at[i + 1] = at;
    c->n++;
}

judge_cuts judge_draw_cuts(const judge_run *r, int axis)
{
    const ifn_op op = r->slot->c.op;
    const conform_stream s = conform_stream_of(r->slot->c.seed, axis ? "cuts2" : "cuts");
    const ifn_call *args = &r->call.args.call;
    const int64_t extent = ifn_op_extent(op, args, axis);
    judge_cuts c = {.n = 0};
    if (extent < 1)
        return c;
    const int64_t granule = ifn_backend_granule(r->judge->backend, op, axis, args);
    const int wanted = r->slot->c.is_cut ? 1 : (int)conform_integer(s, 0, 1, JUDGE_MAX_CUTS);
    c.n = 1;
    c.at[1] = extent;
    for (int i = 0; i < wanted && granule < extent; i++) {
        const int64_t at = r->slot->c.is_cut ? r->slot->c.cut[axis]
                                             : conform_integer(s, (uint64_t)i + 1, 1, extent - 1);
        const int64_t legal = legal_cut(r, axis, at, granule);
        if (legal > 0 && legal < extent)
            insert(&c, legal);
    }
    return c;
}

int64_t *judge_shuffled(judge_run *r, const char *what, int64_t n)
{
    int64_t *const order = conform_pool_take(&r->judge->pool, (size_t)n, sizeof *order);
    conform_shuffle(conform_stream_of(r->slot->c.seed, what), 0, order, n);
    return order;
}
