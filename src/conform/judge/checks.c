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

static const struct {
    int family;
    const char *reason;
} reasons[] = {
    {TIER_GOLDEN, "holds the oracle itself to values from outside this code"},
    {CHECK_PROBE, "a scale in f16 hides in dense sums at model sizes"},
    {CHECK_FIRST_FAULT + FAULT_REPEAT,
     "nothing has changed but the time; all that runs a call again elsewhere meets the same"},
    {CHECK_FIRST_FAULT + FAULT_PLACE,
     "nothing has changed but the addresses; relations that copy inputs may meet the same"},
    {CHECK_FIRST_FAULT + FAULT_PARTS,
     "cuts without threads; threads run such cuts too and could not tell them from a race"},
    {CHECK_FIRST_FAULT + FAULT_OUTSIDE,
     "names what lies outside; threads see it, where its owner has been there before"},
    {CHECK_FIRST_FAULT + FAULT_FRESH, "two processes: looked at by the run, not within a case"},
    {CHECK_FIRST_FAULT + FAULT_WRAPPER, "wrappers only: the museum is a leaf"},
    {CHECK_FIRST_FAULT + FAULT_LAW, "holds the primitive ops together with the fused one"},
    {CHECK_FIRST_FAULT + FAULT_SLACK,
     "names the bytes beside a tensor; guard or batch meet the same by where tensors lie"},
    {CHECK_FIRST_FAULT + FAULT_INPUT, "where pages cannot be protected: refused calls"},
    {CHECK_FIRST_FAULT + FAULT_PRINTED,
     "manners, not numbers: hostile plugins are tried by a table of their own"},
    {CHECK_FIRST_FAULT + FAULT_PROCESS,
     "manners, not numbers: hostile plugins are tried by a table of their own"},
    {CHECK_FIRST_FAULT + FAULT_MEMORY, "says that a case was not executed"},
    {CHECK_FIRST_FAULT + FAULT_CRASH, "no judgement: what dies is counted apart"},
    {CHECK_FIRST_FAULT + FAULT_HANG, "no judgement: what hangs is counted apart"},
};

const char *conform_check_reason(int family)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].family == family)
            return reasons[i].reason;
    return NULL;
}

uint64_t conform_muted_faults(const conform_case *c, uint64_t families)
{
    uint64_t faults = 0;
    for (int f = FAULT_NONE + 1; families && f < FAULT_COUNT; f++)
        if (families >> conform_check_of(c, (conform_fault)f) & 1)
            faults |= UINT64_C(1) << f;
    return faults;
}
