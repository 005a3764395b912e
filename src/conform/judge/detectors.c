#include "detectors.h"

_Static_assert(DETECTOR_COUNT <= 64, "a set of detectors is 64 bits");

int conform_detector_of(const conform_case *c, conform_check check)
{
    if (check == CHECK_VALUE || check == CHECK_SCALAR)
        return c->family == FAMILY_SCALE_PROBE ? DETECTOR_PROBE
               : c->family == FAMILY_EVERY     ? DETECTOR_EVERY
                                               : (int)c->tier;
    if (check == CHECK_STATUS && c->tier == TIER_REFUSE)
        return TIER_REFUSE;
    return DETECTOR_FIRST_CHECK + (int)check;
}

const char *conform_detector_name(int detector)
{
    const int check = detector - DETECTOR_FIRST_CHECK;
    if (detector >= 0 && detector < TIER_COUNT)
        return conform_tier_name((conform_tier)detector);
    if (detector == DETECTOR_PROBE)
        return "scale-probe";
    if (detector == DETECTOR_EVERY)
        return "every";
    if (check <= CHECK_NONE || check >= CHECK_COUNT || check == CHECK_VALUE ||
        check == CHECK_SCALAR) /* values are told apart by tier */
        return "";
    return conform_check_name((conform_check)check);
}

int conform_detector_is_crash(int detector)
{
    const int check = detector - DETECTOR_FIRST_CHECK;
    return check > CHECK_NONE && conform_check_is_death((conform_check)check);
}

const char *conform_detector_reason(int detector)
{
    switch (detector) {
    case TIER_GOLDEN:
        return "holds the oracle itself to values from outside this code";
    case DETECTOR_PROBE:
        return "a scale in f16 hides in dense sums at model sizes";
    default:
        return detector < DETECTOR_FIRST_CHECK
                   ? NULL
                   : conform_check_alone((conform_check)(detector - DETECTOR_FIRST_CHECK));
    }
}

uint64_t conform_muted_checks(const conform_case *c, uint64_t detectors)
{
    uint64_t checks = 0;
    for (int f = CHECK_NONE + 1; detectors && f < CHECK_COUNT; f++)
        if (detectors >> conform_detector_of(c, (conform_check)f) & 1)
            checks |= UINT64_C(1) << f;
    return checks;
}
