/* Ranges of the parts of a call, for plugins that use the public headers only. */
#ifndef TEST_PLUGIN_PARTS_H
#define TEST_PLUGIN_PARTS_H

#include <stdint.h>

/* [begin, end) */
typedef struct range {
    int64_t begin, end;
} range;

/* The range that a call's part_begin and part_end select of `extent`: 0, 0 select all of it. */
static inline range part_of(int64_t begin, int64_t end, int64_t extent)
{
    return end ? (range){begin, end} : (range){0, extent};
}

/* The intersection of a part with n features that begin at `first`, counted from `first`; it may be empty. */
static inline range part_within(range part, int64_t first, int64_t n)
{
    const int64_t begin = part.begin > first ? part.begin - first : 0;
    const int64_t end = part.end < first + n ? part.end - first : n;
    return (range){begin, end > begin ? end : begin};
}

#endif
