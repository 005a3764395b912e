/* Which cases are too large for the whole truth, or for every relation. */
#ifndef CONFORM_LONG_CASE_H
#define CONFORM_LONG_CASE_H

#include "case.h"

enum {
    SAMPLED_WORK = 1 << 18, /* multiply-adds: more than this are judged by samples */
    LONG_ELEMENTS = 1 << 17 /* so large a tensor, or more work than that: a long case */
};

/* Whether samples of the truth are enough: products and attention, of drawn values. */
int conform_is_sampled(const conform_case *c);
/* Whether each tensor lies in one place only and most relations are left to smaller cases: one long
 * case in some has them tried, up to a size. */
int conform_is_long(const conform_case *c);
int conform_has_relations(const conform_case *c);

/* Elements of the largest tensor; -1 if the module has no such case. */
int64_t conform_largest_tensor(const conform_case *c);

#endif
