/*
 * The families of tests, columns of the kill matrix: values by tier, then every other judgement. A
 * new judgement in CONFORM_CHECKS is a new family by itself.
 */
#ifndef CONFORM_MUSEUM_FAMILY_H
#define CONFORM_MUSEUM_FAMILY_H

#include "verdict.h"

enum {
    CHECK_PROBE = TIER_COUNT, /* T1 with the scale probe of numerics 7.3 */
    CHECK_EVERY,              /* pieces of the sweeps over all values: exhaustive.h */
    CHECK_FIRST_FAULT,
    CHECK_COUNT = CHECK_FIRST_FAULT + FAULT_COUNT
};

/* Who noticed: the family of a failure with this fault in this case. */
int conform_check_of(const conform_case *c, conform_fault fault);
/* "T0", "RE", "parts", ...; "" where there is no such family. */
const char *conform_check_name(int family);
/* 1 where the process came to an end instead of being judged. */
int conform_check_is_crash(int family);
/* Why a family that is the only killer of no fault stays; NULL: nobody has said. */
const char *conform_check_reason(int family);

/* The faults that are muted of a case when the families in the set (1 << family) are taken away. */
uint64_t conform_muted_faults(const conform_case *c, uint64_t families);

#endif
