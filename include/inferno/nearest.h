/*
 * The name that a mistyped word most likely stands for.
 *
 * Stability: experimental: made for the programs of this project, and as they need it.
 */
#ifndef INFERNO_NEAREST_H
#define INFERNO_NEAREST_H

#include <stddef.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* Starts as {.word = "smid"}; names are offered one by one, and the best of them stays. */
typedef struct ifn_nearest {
    const char *word; /* borrowed, as the names */
    const char *name; /* NULL: none is near */
    size_t distance;  /* letters to insert, drop, change or swap, as far as `name` is one */
} ifn_nearest;

/**
 * Takes the name if it is nearer than those before. Near is what needs a change in every third
 * letter at most, or begins with the word; upper and lower case are alike.
 */
IFN_EXPERIMENTAL IFN_API void ifn_nearest_offer(ifn_nearest *self, const char *name);

/* The same for a list, NULL at its end. */
IFN_EXPERIMENTAL IFN_API void ifn_nearest_offer_all(ifn_nearest *self, const char *const *names);

/* Room for what ifn_nearest_hint writes. */
enum { IFN_NEAREST_ROOM = 96 };

/* Writes ", did you mean 'simd'?", or nothing where no name is near. Returns `out`. */
IFN_EXPERIMENTAL IFN_API const char *ifn_nearest_hint(const ifn_nearest *self,
                                                      char out[IFN_NEAREST_ROOM]);

IFN_EXTERN_C_END

#endif
