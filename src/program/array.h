/* Arrays that grow by doubling. */
#ifndef IFN_PROGRAM_ARRAY_H
#define IFN_PROGRAM_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

/* Returns an array with room for at least `need` elements of `size` bytes, `p` itself or a reallocated one, and
 * sets *room. NULL if there is no memory; then `p` and *room are unchanged. */
static inline void *array_grow(void *p, size_t *room, size_t need, size_t size)
{
    enum { SMALLEST = 64 };
    if (need <= *room && p)
        return p;
    size_t wanted = *room > need / 2 ? *room * 2 : need;
    wanted = wanted < SMALLEST ? SMALLEST : wanted;
    void *const moved = wanted <= SIZE_MAX / size ? realloc(p, wanted * size) : NULL;
    *room = moved ? wanted : *room;
    return moved;
}

#endif
