#include "long_case.h"

#include <stdbool.h>

#include "case_call.h"

#include "module.h"
#include "stream.h"

int64_t conform_largest_tensor(const conform_case *c)
{
    conform_layout l = {0};
    int64_t largest = 0;
    if (conform_case_layout(c, &l) != IFN_OK)
        return -1;
    for (int i = 0; i < l.n; i++) {
        const int64_t n = l.t[i].rows * l.t[i].cols;
        largest = n > largest ? n : largest;
    }
    return largest;
}

static bool is_drawn(const conform_case *c)
{
    return c->tier != TIER_GOLDEN && c->tier != TIER_REFUSE && c->family != FAMILY_EVERY;
}

int conform_is_sampled(const conform_case *c)
{
    return is_drawn(c) && conform_module_of(c->op)->work(c) > SAMPLED_WORK;
}

int conform_is_long(const conform_case *c)
{
    return conform_is_sampled(c) || (is_drawn(c) && conform_largest_tensor(c) > LONG_ELEMENTS);
}

enum { RELATED_TURN = 4, RELATED_TIMES = 8 };

int conform_has_relations(const conform_case *c)
{
    return !conform_is_long(c) ||
           (conform_hash(c->seed, "related", 0) % RELATED_TURN == 0 &&
            conform_module_of(c->op)->work(c) <= RELATED_TIMES * SAMPLED_WORK &&
            conform_largest_tensor(c) <= RELATED_TIMES * LONG_ELEMENTS);
}
