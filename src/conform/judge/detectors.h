/*
 * What may notice a fault, columns of the kill matrix: values by tier, then every other check. A new
 * row of CONFORM_CHECKS is a new detector by itself.
 */
#ifndef CONFORM_DETECTORS_H
#define CONFORM_DETECTORS_H

#include "verdict.h"

enum {
    DETECTOR_PROBE = TIER_COUNT, /* T1 with the scale probe of numerics 7.3 */
    DETECTOR_EVERY,              /* pieces of the sweeps over all values: exhaustive.h */
    DETECTOR_FIRST_CHECK,
    DETECTOR_COUNT = DETECTOR_FIRST_CHECK + CHECK_COUNT
};

/* Who noticed: the detector of a failure by this check in this case. */
int conform_detector_of(const conform_case *c, conform_check check);
/* "T0", "RE", "parts", ...; "" where there is no such detector. */
const char *conform_detector_name(int detector);
/* 1 where the process came to an end instead of being judged. */
int conform_detector_is_crash(int detector);
/* Why a detector that is the only killer of no fault stays; NULL: nobody has said. */
const char *conform_detector_reason(int detector);

/* The checks that are muted of a case when the detectors in the set (1 << detector) are taken away. */
uint64_t conform_muted_checks(const conform_case *c, uint64_t detectors);

#endif
