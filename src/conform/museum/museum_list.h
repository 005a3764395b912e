/*
 * What a museum tells about itself: a plugin whose backends have one fault each, chosen by option.
 * It exports ifn_museum() beside its backend entry; `inferno conform --museum` runs every one of
 * them.
 */
#ifndef CONFORM_MUSEUM_LIST_H
#define CONFORM_MUSEUM_LIST_H

#include <stdint.h>

#define CONFORM_MUSEUM_SYMBOL "ifn_museum"

typedef struct conform_museum_fault {
    const char *name;   /* the option: ./museum.so=name */
    const char *op;     /* that is wrong */
    const char *killer; /* the detector that is expected to notice: detectors.h */
    const char *text;   /* what it does, one line */
    const char *source; /* the public bug it follows, or "own" */
    int32_t year;       /* of that bug, where those of its year have a wing; 0: all others */
} conform_museum_fault;

typedef struct conform_museum {
    uint32_t fault_bytes; /* sizeof(conform_museum_fault) of the plugin */
    int32_t n;
    const conform_museum_fault *faults; /* static */
} conform_museum;

typedef const conform_museum *(*conform_museum_fn)(void);

#endif
