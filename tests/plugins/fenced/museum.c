#include "museum.h"

#include <stdio.h>
#include <string.h>

#include "museum_list.h"

static const conform_museum_fault faults[] = {
#define X(name, op, killer, text) {#name, #op, killer, text, "own", 0},
    DEVICE_FAULTS(X)
#undef X
};

enum { N_FAULTS = sizeof faults / sizeof *faults };
_Static_assert(N_FAULTS >= 30, "what a device can get wrong");

IFN_API const conform_museum *ifn_museum(void);

const conform_museum *ifn_museum(void)
{
    static const conform_museum museum = {sizeof(conform_museum_fault), N_FAULTS, faults};
    return &museum;
}

device_fault museum_fault(const char *name)
{
    for (int i = 0; i < N_FAULTS; i++)
        if (strcmp(faults[i].name, name) == 0)
            return (device_fault)(DEVICE_SOUND + 1 + i);
    return DEVICE_SOUND;
}

ifn_status museum_refuse(const char *found, ifn_error *err)
{
    const ifn_error blank = {.status = IFN_ERR_ARGUMENT, .offset = UINT64_MAX};
    if (!err)
        return IFN_ERR_ARGUMENT;
    *err = blank;
    (void)snprintf(err->text, sizeof err->text,
                   "device_museum: option '%.40s', expected one of %d faults", found,
                   (int)N_FAULTS);
    return IFN_ERR_ARGUMENT;
}
