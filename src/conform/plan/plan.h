/* The filter, which says what cases a run asks for, and the plan, which is the list of them. */
#ifndef CONFORM_PLAN_H
#define CONFORM_PLAN_H

#include <stdbool.h>

#include "module.h"
#include "profile.h"
#include "spec.h"

typedef struct conform_filter {
    conform_profile profile;
    int64_t n_cases;    /* cases to draw, with no sweeps; 0: what the profile says */
    bool is_exhaustive; /* run all sweeps from end to end, and nothing else */
    uint64_t seed;
    int n_dtypes; /* 0: all that the spec names */
    ifn_dtype dtypes[SPEC_MAX_DTYPES];
    int32_t is_fixed[CONFORM_MAX_DIMS]; /* --shape */
    int64_t fixed[CONFORM_MAX_DIMS];
    int64_t shard, n_shards; /* 0 or 1 shards: everything */
} conform_filter;

/* True if --shape fixes a dimension. */
static inline bool conform_filter_is_shaped(const conform_filter *f)
{
    bool is_shaped = false;
    for (int i = 0; i < CONFORM_MAX_DIMS; i++)
        is_shaped |= f->is_fixed[i] != 0;
    return is_shaped;
}

typedef struct conform_plan {
    conform_case *cases; /* owned */
    int64_t n;
    int64_t n_triples;             /* 3-way combinations that the cases cover */
    int64_t n_whole;               /* cases of all shards together */
    uint64_t digest, whole_digest; /* sums of conform_case_hash: of `cases`, of all shards */
} conform_plan;

/* The size limits of almost every case: elements, work, and elements at model sizes. */
enum { PLAN_ELEMENTS = 1 << 14, PLAN_WORK = 1 << 18, PLAN_MODEL_ELEMENTS = 1 << 21 };

/* Counts a case among those of all shards, and among those of this shard if `is_own`. */
void conform_plan_count(conform_plan *self, const conform_case *c, bool is_own);
void conform_plan_close(conform_plan *self);

#endif
