#include "checks.h"

_Static_assert(CHECK_COUNT <= 64, "a set of families is 64 bits");

int conform_check_of(const conform_case *c, conform_fault fault)
{
    if (fault == FAULT_VALUE || fault == FAULT_SCALAR)
        return c->family == FAMILY_SCALE_PROBE ? CHECK_PROBE
               : c->family == FAMILY_EVERY     ? CHECK_EVERY
                                               : (int)c->tier;
    if (fault == FAULT_STATUS && c->tier == TIER_REFUSE)
        return TIER_REFUSE;
    return CHECK_FIRST_FAULT + (int)fault;
}

const char *conform_check_name(int family)
{
    const int fault = family - CHECK_FIRST_FAULT;
    if (family >= 0 && family < TIER_COUNT)
        return conform_tier_name((conform_tier)family);
    if (family == CHECK_PROBE)
        return "scale-probe";
    if (family == CHECK_EVERY)
        return "every";
    if (fault <= FAULT_NONE || fault >= FAULT_COUNT || fault == FAULT_VALUE ||
        fault == FAULT_SCALAR) /* values are told apart by tier */
        return "";
    return conform_fault_name((conform_fault)fault);
}

int conform_check_is_crash(int family)
{
    const int fault = family - CHECK_FIRST_FAULT;
    return fault > FAULT_NONE && conform_fault_is_death((conform_fault)fault);
}

const char *conform_check_reason(int family)
{
    switch (family) {
    case TIER_GOLDEN:
        return "holds the oracle itself to values from outside this code";
    case CHECK_PROBE:
        return "a scale in f16 hides in dense sums at model sizes";
    default:
        return family < CHECK_FIRST_FAULT
                   ? NULL
                   : conform_fault_alone((conform_fault)(family - CHECK_FIRST_FAULT));
    }
}

uint64_t conform_muted_faults(const conform_case *c, uint64_t families)
{
    uint64_t faults = 0;
    for (int f = FAULT_NONE + 1; families && f < FAULT_COUNT; f++)
        if (families >> conform_check_of(c, (conform_fault)f) & 1)
            faults |= UINT64_C(1) << f;
    return faults;
}
