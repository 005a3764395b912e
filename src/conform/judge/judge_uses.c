#include "judge_uses.h"

#include "gen.h"
#include "invoke.h"

enum { HINTS = IFN_USE_ONE_ROW | IFN_USE_MANY_ROWS };

/* Draws hints about rows: each alone, both and neither equally often, whatever rows the case has. */
static uint32_t hints(const judge_run *r, const char *what)
{
    return (uint32_t)(conform_hash(r->slot->c.seed, what, 0) % 4) * IFN_USE_ONE_ROW;
}

/* The other ops with weights that the packer implements. */
static uint32_t other_uses(const judge_run *r, const ifn_backend *who)
{
    uint32_t uses = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (conform_use_of(op) && op != r->slot->c.op &&
            ifn_backend_implementer(r->judge->backend, op) == who)
            uses |= conform_use_of(op);
    return uses;
}

/*
 * Draws the ops that weights are prepared for: this one; in one case of four others, too, and in another one only
 * others. A handle prepared for others whose mask names this op nevertheless is read by it.
 */
static uint32_t ops(const judge_run *r, const ifn_backend *who)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, "uses", 0);
    const uint32_t own = conform_use_of(r->slot->c.op), all = other_uses(r, who);
    const uint32_t drawn = all & (uint32_t)(bits >> 8), others = drawn ? drawn : all;
    return bits % 4 > 1 || !all ? own : bits % 4 ? others : own | others;
}

uint32_t judge_uses(const judge_run *r, const ifn_backend *who)
{
    return ops(r, who) | hints(r, "hints");
}

uint32_t judge_uses_of_op(const judge_run *r)
{
    return conform_use_of(r->slot->c.op) | hints(r, "hints");
}

uint32_t judge_uses_beside(const judge_run *r, const ifn_backend *who, uint32_t uses,
                           const char *what)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, what, 1);
    const uint32_t all = conform_use_of(r->slot->c.op) | other_uses(r, who);
    const uint32_t drawn = all & (uint32_t)(bits >> 8);
    return (bits % 2 || !drawn ? uses & ~(uint32_t)HINTS : drawn) | hints(r, what);
}
