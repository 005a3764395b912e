#include "truth.h"

void conform_truth_take(conform_truth *t, conform_class class, int64_t n, conform_pool *pool)
{
    *t = (conform_truth){.class = class, .is_sampled = t->is_sampled};
    if (class == CLASS_RAW) {
        t->raw = conform_pool_take(pool, conform_size_of(n), 1);
        return;
    }
    t->want = conform_pool_take(pool, conform_size_of(n), sizeof *t->want);
    if (class != CLASS_BITS) {
        t->bound = conform_pool_take(pool, conform_size_of(n), sizeof *t->bound);
        t->skip = conform_pool_take(pool, conform_size_of(n), 1);
    }
}

void conform_truth_may_lean(conform_truth *t, conform_tier tier, int64_t n, conform_pool *pool)
{
    if (tier == TIER_T2)
        t->lean = conform_pool_take(pool, conform_size_of(n), sizeof *t->lean);
}
