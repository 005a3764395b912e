/* Decides where the statistical bound of T2 applies; elsewhere the tier is T1, whatever the case asks for. */
#ifndef CONFORM_OPS_TIER_H
#define CONFORM_OPS_TIER_H

#include "case.h"

/* Sums of products: T2 applies to families whose first factor has independent random signs. */
static inline conform_tier conform_tier_of_products(const conform_case *c)
{
    const int random_signs = c->family == FAMILY_NORMAL || c->family == FAMILY_WIDE ||
                             c->family == FAMILY_TINY || c->family == FAMILY_HUGE_VALUES ||
                             c->family == FAMILY_GRADED;
    return c->tier == TIER_T2 && !random_signs ? TIER_T1 : c->tier;
}

/*
 * Sums of positive terms: T2 applies only if the terms are of similar size. Many small terms under a large sum are
 * all rounded to the same side, which is no random walk.
 */
static inline conform_tier conform_tier_of_positives(const conform_case *c)
{
    return c->tier == TIER_T2 && c->family != FAMILY_NORMAL ? TIER_T1 : c->tier;
}

#endif
