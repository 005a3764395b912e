/* The parts of calls, for plugins that see the public headers alone. */
#ifndef TEST_PLUGIN_PARTS_H
#define TEST_PLUGIN_PARTS_H

#include <stdint.h>

/* [begin, end) of a part: 0, 0 means all of it. */
typedef struct range {
    int64_t begin, end;
} range;

static inline range part_of(int64_t begin, int64_t end, int64_t extent)
{
    return end ? (range){begin, end} : (range){0, extent};
}

/* What it leaves of n features that begin at `first`; empty where it leaves none. */
static inline range part_within(range part, int64_t first, int64_t n)
{
    const int64_t begin = part.begin > first ? part.begin - first : 0;
    const int64_t end = part.end < first + n ? part.end - first : n;
    return (range){begin, end > begin ? end : begin};
}

#endif
