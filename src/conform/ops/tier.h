/* Where the statistical bound of T2 may be used: elsewhere it is T1, whatever the case asks for. */
#ifndef CONFORM_OPS_TIER_H
#define CONFORM_OPS_TIER_H

#include "case.h"

/* Sums of products: the families whose first factor has independent random signs. */
static inline conform_tier conform_tier_of_products(const conform_case *c)
{
    const int random_signs = c->family == FAMILY_NORMAL || c->family == FAMILY_WIDE ||
                             c->family == FAMILY_TINY || c->family == FAMILY_HUGE_VALUES ||
                             c->family == FAMILY_GRADED;
    return c->tier == TIER_T2 && !random_signs ? TIER_T1 : c->tier;
}

/*
 * Sums of positive terms: only where these are alike. Many small terms under a large sum are all
 * rounded the same way, which no random walk does.
 */
static inline conform_tier conform_tier_of_positives(const conform_case *c)
{
    return c->tier == TIER_T2 && c->family != FAMILY_NORMAL ? TIER_T1 : c->tier;
}

#endif
