#include "fresh.h"

static int find(const conform_fresh *f, int64_t i)
{
    for (int k = 0; k < f->n; k++)
        if (f->at[k] == i)
            return k;
    return -1;
}

int conform_fresh_has(const conform_fresh *fresh, int64_t i)
{
    return find(fresh, i) >= 0;
}

/* A case that gave nothing, here or there, has failed or was refused for other reasons. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int tested,
                           conform_verdict *verdict)
{
    const int k = find(fresh, i);
    conform_relation *relation = &verdict->relations[conform_check_relation(CHECK_FRESH)];
    if (k < 0 || !verdict->digest || !fresh->digest[tested][k])
        return;
    const int held = verdict->digest == fresh->digest[tested][k];
    relation->tried++;
    relation->demanded++;
    relation->held += held;
    if (!held)
        conform_verdict_fail(verdict, CHECK_FRESH, "R0: another process gives other bits");
}
