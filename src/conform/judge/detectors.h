/*
 * The detectors, which may notice a planted fault and are the columns of the kill matrix: values by tier, then every
 * other check. A new row of CONFORM_CHECKS becomes a detector by itself.
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

/* The detector that a failure of this check in this case counts for. */
int conform_detector_of(const conform_case *c, conform_check check);
/* "T0", "RE", "parts", ...; "" if there is no such detector. */
const char *conform_detector_name(int detector);
/* 1 if this detector means that the process died before it was judged. */
int conform_detector_is_crash(int detector);
/* Why a detector is kept although no fault is noticed by it alone; NULL: no reason is recorded. */
const char *conform_detector_reason(int detector);

/* The checks that are muted in a case when the detectors of the set (1 << detector) are taken away. */
uint64_t conform_muted_checks(const conform_case *c, uint64_t detectors);

#endif
