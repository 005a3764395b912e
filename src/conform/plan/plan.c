#include "plan.h"

#include <stdbool.h>
#include <stdlib.h>

#include "case_id.h"

void conform_plan_count(conform_plan *self, const conform_case *c, bool is_own)
{
    const uint64_t hash = conform_case_hash(c);
    self->n_whole++;
    self->whole_digest += hash;
    if (is_own)
        self->digest += hash;
}

void conform_plan_close(conform_plan *self)
{
    free(self->cases);
    *self = (conform_plan){0};
}
