/* A museum that lists as many faults as the environment says, none of which there is: ODD_MUSEUM=-1. */
#include <stdlib.h>

#include "museum_list.h"

__attribute__((visibility("default"))) const conform_museum *ifn_museum(void);
const conform_museum *ifn_museum(void)
{
    static conform_museum museum = {.fault_bytes = sizeof(conform_museum_fault)};
    const char *const n = getenv("ODD_MUSEUM");
    museum.n = n ? atoi(n) : 0;
    return &museum;
}
