/*
 * The name that a mistyped word most likely stands for.
 *
 * Stability: experimental: it serves the programs of this project, and changes with them.
 */
#ifndef INFERNO_NEAREST_H
#define INFERNO_NEAREST_H

#include <stddef.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* Begin with {.word = "smid"} and offer names one by one; the struct keeps the nearest. */
typedef struct ifn_nearest {
    const char *word; /* borrowed, as are the names */
    const char *name; /* NULL: none is near */
    size_t distance; /* letters to insert, drop, change or swap; meaningful only if `name` is set */
} ifn_nearest;

/**
 * Keeps the name if it is nearer than those before. A name is near if it differs in at most every third
 * letter, or begins with the word; case does not count.
 */
IFN_EXPERIMENTAL IFN_API void ifn_nearest_offer(ifn_nearest *self, const char *name);

/* The same for a list, NULL at its end. */
IFN_EXPERIMENTAL IFN_API void ifn_nearest_offer_all(ifn_nearest *self, const char *const *names);

/* Bytes that ifn_nearest_hint may write. */
enum { IFN_NEAREST_ROOM = 96 };

/* Writes ", did you mean 'simd'?", or an empty string if no name is near. Returns `out`. */
IFN_EXPERIMENTAL IFN_API const char *ifn_nearest_hint(const ifn_nearest *self,
                                                      char out[IFN_NEAREST_ROOM]);

IFN_EXTERN_C_END

#endif
