/*
 * The list of faults that a museum exports. A museum is a plugin whose backend has one fault, chosen by its option. It
 * exports ifn_museum() besides its backend entry; `inferno conform museum` runs every fault.
 */
#ifndef CONFORM_MUSEUM_LIST_H
#define CONFORM_MUSEUM_LIST_H

#include <stdint.h>

#define CONFORM_MUSEUM_SYMBOL "ifn_museum"

typedef struct conform_museum_fault {
    const char *name;   /* the option: ./museum.so=name */
    const char *op;     /* the op that is wrong */
    const char *killer; /* the detector that is expected to notice it: detectors.h */
    const char *text;   /* one line that describes it */
    const char *source; /* the public bug it follows, or "own" */
    int32_t year;       /* year of that bug if the year has a wing; 0: all others */
} conform_museum_fault;

typedef struct conform_museum {
    uint32_t fault_bytes; /* sizeof(conform_museum_fault) of the plugin */
    int32_t n;
    const conform_museum_fault *faults; /* static */
} conform_museum;

typedef const conform_museum *(*conform_museum_fn)(void);

#endif
