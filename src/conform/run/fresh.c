#include "fresh.h"

#include <string.h>

static int find(const conform_fresh *f, int64_t i)
{
    for (int k = 0; k < f->n + f->n_dtypes; k++)
        if (f->at[k] == i)
            return k;
    return -1;
}

int conform_fresh_has(const conform_fresh *fresh, int64_t i)
{
    return find(fresh, i) >= 0;
}

/* A case may be in at[] twice; failures go to its first entry, the one that compare finds. */
void conform_fresh_note(conform_fresh *fresh, int k, int tested, const conform_verdict *verdict)
{
    conform_fresh_failure *const failed = &fresh->failed[tested][find(fresh, fresh->at[k])];
    if (verdict->digest)
        fresh->digest[tested][k] = verdict->digest;
    if (verdict->outcome != OUTCOME_FAIL || verdict->check == CHECK_MEMORY || failed->check)
        return;
    failed->check = verdict->check;
    memcpy(failed->detail, verdict->detail, sizeof failed->detail);
}

/* Takes over a failure of the other process, unless the case fails here as well. */
static void take_over(const conform_fresh_failure *failed, conform_verdict *verdict)
{
    if (!failed->check || verdict->outcome == OUTCOME_FAIL)
        return;
    if (failed->check == CHECK_FIRST)
        conform_verdict_fail(verdict, CHECK_FIRST, "%s", failed->detail);
    else
        conform_verdict_fail(verdict, CHECK_FRESH, "R0: another process fails: %s: %.300s",
                             conform_check_name(failed->check), failed->detail);
}

/* A case without a digest, here or there, has failed or was refused, and its bits are not compared. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int tested,
                           conform_verdict *verdict)
{
    const int k = find(fresh, i);
    conform_relation *relation = &verdict->relations[conform_check_relation(CHECK_FRESH)];
    if (k >= 0)
        take_over(&fresh->failed[tested][k], verdict);
    if (k < 0 || !verdict->digest || !fresh->digest[tested][k])
        return;
    const int held = verdict->digest == fresh->digest[tested][k];
    relation->tried++;
    relation->demanded++;
    relation->held += held;
    if (!held)
        conform_verdict_fail(verdict, CHECK_FRESH, "R0: another process gives other bits");
}
