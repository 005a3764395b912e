#include "museum.h"

#include "fault_names.h"

static const conform_museum_fault faults[] = {
#define X(name, op, killer, text) {#name, #op, killer, text, "own", 0},
    DEVICE_FAULTS(X)
#undef X
};

enum { N_FAULTS = sizeof faults / sizeof *faults };
_Static_assert(N_FAULTS >= 30, "what a device can get wrong");

const conform_museum *ifn_museum(void)
{
    static const conform_museum museum = {sizeof(conform_museum_fault), N_FAULTS, faults};
    return &museum;
}

device_fault museum_fault(const char *name)
{
    return (device_fault)(DEVICE_SOUND + 1 + fault_find(ifn_museum(), name));
}

ifn_status museum_refuse(const char *found, ifn_error *err)
{
    return fault_refuse(ifn_museum(), "device_museum", found, err);
}
