/* Decides which cases are too large for the whole truth, or for every relation. */
#ifndef CONFORM_LONG_CASE_H
#define CONFORM_LONG_CASE_H

#include "case.h"

enum {
    SAMPLED_WORK = 1 << 18, /* multiply-adds: a case of more work is judged by samples of truth */
    LONG_ELEMENTS = 1 << 17 /* a case with a larger tensor, or judged by samples, is long */
};

/* 1 if the case is judged by samples of the truth: more than SAMPLED_WORK, of drawn values. */
int conform_is_sampled(const conform_case *c);
/* 1 if the case is long: its tensors lie at one address only, and most relations are left to smaller cases. */
int conform_is_long(const conform_case *c);
/* 1 if the relations are tried: in every case that is not long, and in one long case of four up to 8 times the
 * limits. */
int conform_has_relations(const conform_case *c);

/* Elements of the largest tensor; -1 if the module has no such case. */
int64_t conform_largest_tensor(const conform_case *c);

#endif
